import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostKey, littleLog } from '../../../tests/support/little-log.ts'
import { createState, openState } from '../state.ts'
import { parseSubmission } from '../witness.ts'
import { type Folder, inFolder, type RunningWitness, runWitness, witnessFolder } from './program.ts'

const key = hostKey('log.example')
const origin = 'log.example/c/1/proof'
const log = littleLog(key, origin, 'the truth', 400)
let folder: Folder
const running: RunningWitness[] = []

beforeEach(() => {
  folder = witnessFolder([key.vkey])
})
afterEach(async () => {
  for (const witness of running.splice(0)) await witness.kill('SIGKILL')
  folder.remove()
})
async function start(): Promise<RunningWitness> {
  const witness = await runWitness(folder.path)
  running.push(witness)
  return witness
}

describe('init', () => {
  it('creates a key that only its owner can read, and prints the public key', () => {
    expect(statSync(join(folder.path, 'witness.key')).mode & 0o777).toBe(0o600)
    expect(folder.vkey).toMatch(/^witness\.example\/w1\+[0-9a-f]{8}\+B/)
    expect(inFolder(folder.path, ['vkey']).stdout.trim()).toBe(folder.vkey)
  })

  it('never replaces a key or a state', () => {
    const before = readFileSync(join(folder.path, 'witness.key'), 'utf8')
    const again = inFolder(folder.path, ['init', '--name', 'witness.example/w2'])
    expect([again.status, again.stderr]).toEqual([1, 'witness.key already exists.\n'])
    const other = inFolder(folder.path, ['init', '--name', 'witness.example/w2', '--key-file', 'other.key'])
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('witness.state already exists')])
    expect(readFileSync(join(folder.path, 'witness.key'), 'utf8')).toBe(before)
  })
})

describe('restart', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('after %s keeps the cosigned state', async (signal) => {
    const first = await start()
    expect((await first.submit(log.submission(0, 7))).status).toBe(200)
    await first.kill(signal)
    const second = await start()
    const fork = littleLog(key, origin, 'another story', 10)
    expect(await second.submit(fork.submission(0, 7))).toMatchObject({ status: 409, body: '7\n' })
    expect((await second.submit(fork.submission(7, 10))).status).toBe(422)
    expect((await second.submit(log.submission(7, 10))).status).toBe(200)
  })

  it('repeated under load never leads to two cosigned roots for one size', async () => {
    const stories = [log, littleLog(key, origin, 'another story', 400), littleLog(key, origin, 'a third one', 400)]
    const cosigned = new Map<number, Set<string>>()
    let largest = 0
    // On a busy machine some rounds end before the first request.
    for (let round = 0; round < 8 || (cosigned.size <= 20 && round < 40); round++) {
      const witness = await start()
      const work = stories.map(async (story) => {
        for (let old = 0, size = largest + 1; size < 400; ) {
          const { status, body } = await witness.submit(story.submission(old, size))
          if (status === 200) {
            cosigned.set(size, (cosigned.get(size) ?? new Set()).add(story.note(size)))
            largest = Math.max(largest, size)
            old = size++
          } else if (status === 409) {
            // The known size is never below a size that the witness answered before.
            expect(Number(body)).toBeGreaterThanOrEqual(old)
            if (Number(body) === old) return
            old = Number(body)
            size = Math.max(size, old)
          } else return
        }
      })
      const ended = Promise.allSettled(work)
      await sleep(20 + 25 * (round % 8))
      await witness.kill('SIGKILL')
      // A killed connection rejects with "fetch failed"; any other rejection is a failed expectation.
      for (const end of await ended) if (end.status === 'rejected') expect(String(end.reason)).toContain('fetch failed')
    }
    expect(cosigned.size).toBeGreaterThan(20)
    for (const [size, notes] of cosigned) expect([size, notes.size]).toEqual([size, 1])
    const known = await (await start()).submit(log.submission(399, 399))
    expect(Number(known.body)).toBeGreaterThanOrEqual(largest)
  })
})

describe('does not start', () => {
  it('with a state that another process uses', async () => {
    await start()
    const { status, stderr } = inFolder(folder.path, ['--port', '0'])
    expect([status, stderr]).toEqual([1, 'witness.state is in use by another process. Only one process can use it.\n'])
  })

  it('without its state, because it could cosign a second history', () => {
    rmSync(join(folder.path, 'witness.state'))
    const { status, stderr } = inFolder(folder.path, ['--port', '0'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('could cosign a second history')])
  })

  it.each([
    ['that is not SQLite', Buffer.from('{}')],
    ['of another program', null],
  ])('with a state file %s', (_name, bytes) => {
    const file = join(folder.path, 'witness.state')
    if (bytes) writeFileSync(file, bytes)
    else {
      // Changes the SQLite application id.
      const ours = readFileSync(file)
      ours.writeUInt32BE(1, 68)
      writeFileSync(file, ours)
    }
    const { status, stderr } = inFolder(folder.path, ['--port', '0'])
    expect([status, stderr]).toEqual([1, expect.stringMatching(/can't be read|isn't a witness state file/)])
  })

  it.each([
    ['log nonsense', 1, 'witness.conf, line 1'],
    ['peer x', 1, 'witness.conf, line 1'],
  ])('with the line "%s" in its configuration', (line, code, message) => {
    writeFileSync(join(folder.path, 'witness.conf'), line)
    const { status, stderr } = inFolder(folder.path, ['--port', '0'])
    expect([status, stderr]).toEqual([code, expect.stringContaining(message)])
  })

  it('with the key of a witness configured as a log', () => {
    writeFileSync(join(folder.path, 'witness.conf'), `log ${folder.vkey}`)
    expect(inFolder(folder.path, ['--port', '0']).stderr).toContain('this is a witness key')
  })

  it.each([['--prot'], ['serve'], ['run', 'now'], ['--port', 'x'], ['init']])('with the arguments %s', (...args) => {
    const { status, stderr } = inFolder(folder.path, args)
    expect([status, stderr]).toEqual([2, expect.stringContaining('Help: countersign-witness --help')])
  })
})

it('does not detect a state restored from an older copy, as the README says', async () => {
  const file = join(folder.path, 'witness.state')
  copyFileSync(file, `${file}.old`)
  const first = await start()
  expect((await first.submit(log.submission(0, 7))).status).toBe(200)
  await first.kill('SIGTERM')
  copyFileSync(`${file}.old`, file)
  const fork = littleLog(key, origin, 'another story', 7)
  expect((await (await start()).submit(fork.submission(0, 7))).status).toBe(200)
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain('older copy')
})

it('is as fast with 100,000 logs as with one', async () => {
  const file = join(folder.path, 'large.state')
  createState(file)
  const state = openState(file)
  // The state does not check signatures; the server does before.
  const { note, checkpoint, ...rest } = parseSubmission(log.submission(0, 1))
  const settle = (center: number) =>
    state.settle({ ...rest, note, checkpoint: { ...checkpoint, origin: `log.example/c/${center}/proof` } }, 0)
  const oneByOne = async (first: number) => {
    const began = performance.now()
    for (let center = first; center < first + 50; center++) await settle(center)
    return performance.now() - began
  }
  const alone = await oneByOne(1)
  for (let center = 1000; center < 101_000; center += 1000) {
    await Promise.all(Array.from({ length: 1000 }, (_, at) => settle(center + at)))
  }
  expect(state.counts().logs).toBe(100_050)
  const among = await oneByOne(200_000)
  expect(among).toBeLessThan(Math.max(alone * 10, 5000))
  state.close()
})
