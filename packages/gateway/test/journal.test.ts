/** The journal on a disk that is full, torn, shared or somebody else's. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failed } from '../ending.ts'
import { type HeldCall, JournalError, openJournal } from '../journal.ts'

let folder: string
let used = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-journal-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const newFolder = () => join(folder, String(used++))
const call = (id: string, agent = 'clerk'): HeldCall => ({
  ...{ id, agent, agentName: undefined, upstream: 'notes', tool: 'note', toolDigest: 'sha256:0', shown: 'notes_note' },
  ...{ action: 'notes.note', riskScore: undefined, args: {}, digest: `digest of ${id}`, madeAt: 1 },
  trace: { traceId: '0', spanId: '0' },
})
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

it('one attempt of a call forwards it, however many try', async () => {
  const journal = openJournal(newFolder())
  await journal.add(call('a'))
  const tries = await Promise.all(Array.from({ length: 20 }, () => journal.forward('a')))
  expect(tries.filter(Boolean)).toHaveLength(1)
  await journal.answer('a', text('first'))
  await journal.answer('a', text('second'))
  expect(journal.result('a')).toEqual(text('first'))
  journal.close()
})

it('of the same call made twice at once, one continues what was left', async () => {
  const journal = openJournal(newFolder())
  await journal.add(call('a'))
  await journal.leave('a')
  const found = await Promise.all([journal.rejoin('digest of a'), journal.rejoin('digest of a')])
  expect(found.filter(Boolean)).toHaveLength(1)
  await journal.leave('a')
  await journal.end('a', text('done'), 5)
  await journal.delivered('a')
  // Its result is kept for the handle, and a new call is a new one.
  expect([await journal.rejoin('digest of a'), journal.result('a')]).toEqual([null, text('done')])
  journal.close()
})

it('a second one on the same folder, and a file of something else, are refused', () => {
  const state = newFolder()
  const journal = openJournal(state)
  const second = `import { openJournal } from ${JSON.stringify(new URL('../journal.ts', import.meta.url).href)}
    try { openJournal(${JSON.stringify(state)}); console.log('opened') } catch (error) { console.log(error.message) }`
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', second], { encoding: 'utf8' })
  expect(said).toContain('in use by another process')
  journal.close()
  const other = newFolder()
  mkdirSync(other)
  writeFileSync(join(other, 'calls.sqlite'), 'not a database at all '.repeat(300))
  expect(() => openJournal(other)).toThrow(JournalError)
})

it('a file that is torn at its end has everything up to there', async () => {
  const [state, torn] = [newFolder(), newFolder()]
  const journal = openJournal(state)
  await journal.add(call('a'))
  await journal.forward('a')
  const wal = join(state, 'calls.sqlite-wal')
  const whole = statSync(wal).size
  await journal.add(call('b'))
  // As a process that was killed leaves it, with the last write not complete.
  mkdirSync(torn)
  for (const file of readdirSync(state)) {
    if (!file.endsWith('-shm')) copyFileSync(join(state, file), join(torn, file))
  }
  journal.close()
  truncateSync(join(torn, 'calls.sqlite-wal'), whole + 100)
  appendFileSync(join(torn, 'calls.sqlite-wal'), 'x'.repeat(5000))
  const again = openJournal(torn)
  expect([again.phase('a'), again.phase('b')]).toEqual(['forwarded', null])
  expect(await again.forward('a')).toBe(false)
  again.close()
})

it('keeps the latest results of an agent, up to a size, and those of the others', async () => {
  const journal = openJournal(newFolder())
  const large = text('x'.repeat(10_000_000))
  for (const [at, id] of ['1', '2', '3', '4', '5'].entries()) {
    await journal.add(call(id))
    await journal.end(id, large, 1000 + at)
  }
  await journal.add(call('other', 'night'))
  await journal.end('other', failed('no'), 1000)
  journal.forget(500)
  expect(['1', '2', '3', '4', '5', 'other'].filter((id) => journal.phase(id))).toEqual(['3', '4', '5', 'other'])
  journal.forget(1004)
  expect(['1', '2', '3', '4', '5', 'other'].filter((id) => journal.phase(id))).toEqual(['5'])
  journal.close()
}, 30_000)

it('counts the arguments of a call as well as its result', async () => {
  const state = newFolder()
  const journal = openJournal(state)
  const args = { text: 'x'.repeat(900_000) }
  const ids = Array.from({ length: 100 }, (_, at) => String(at).padStart(3, '0'))
  for (const [at, id] of ids.entries()) {
    await journal.add({ ...call(id), args })
    await journal.leave(id)
    await journal.end(id, text('done'), 1000 + at)
    await journal.delivered(id)
  }
  journal.forget(500)
  const kept = ids.filter((id) => journal.phase(id))
  expect(kept).toEqual(ids.slice(-37))
  expect(kept.reduce((sum, id) => sum + JSON.stringify(journal.find(id)).length, 0)).toBeLessThanOrEqual(33_554_432)
  journal.close()
}, 60_000)
