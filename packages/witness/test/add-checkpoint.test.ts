import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { checkNote, parseNote, verifierKey } from '@countersign/proof/signed-note.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hostKey, type LittleLog, littleLog, requestOf } from '../../../tests/support/little-log.ts'
import { readKey } from '../key.ts'
import { witnessServer } from '../server.ts'
import { createState, openState, type State } from '../state.ts'
import { type Folder, submitTo, witnessFolder } from './program.ts'

const key = hostKey('log.example')
const stranger = hostKey('log.example')
const now = Date.parse('2026-03-04T05:06:07.890Z')
const said: string[] = []
let folder: Folder
let state: State
let server: Server
let url: string
let logs = 0
let log: LittleLog

beforeAll(async () => {
  folder = witnessFolder([key.vkey])
  const file = join(folder.path, 'in-process.state')
  createState(file)
  state = openState(file)
  server = witnessServer({
    key: readKey(join(folder.path, 'witness.key')),
    state,
    logKeys: [verifierKey(key.vkey)],
    say: (line) => void said.push(line),
    now: () => now,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  state.close()
  folder.remove()
})

/** A separate log for each test. */
beforeEach(() => {
  logs++
  log = littleLog(key, `log.example/c/${logs}/proof`, 'the truth', 40)
})

const submit = (body: string | Uint8Array) => submitTo(url, body)
const accepted = async (oldSize: number, size: number) =>
  expect((await submit(log.submission(oldSize, size))).status).toBe(200)

describe('answers 200', () => {
  it('with a cosignature of the checkpoint and its time', async () => {
    const { status, body } = await submit(log.submission(0, 7))
    expect(status).toBe(200)
    const checked = checkNote(parseNote(log.note(7) + body), [verifierKey(folder.vkey)])
    expect(checked.bad).toEqual([])
    expect(checked.cosignedBy).toMatchObject([{ key: { name: 'witness.example/w1' }, time: Math.floor(now / 1000) }])
  })

  it('for each step of a growing log', async () => {
    for (let size = 0; size < 40; size++) await accepted(size, size + 1)
  })

  it('for a retry of the same checkpoint', async () => {
    await accepted(0, 7)
    await accepted(7, 7)
  })

  it('for the empty log', async () => {
    await accepted(0, 0)
    await accepted(0, 3)
  })

  it('for every domain of every center and every sandbox of the host, and every generation', async () => {
    for (const log of [
      'c/90210/proof',
      'c/90210/dpu',
      'c/90210/history',
      'sandbox/1000000042/proof',
      'c/90210/proof/2',
    ]) {
      const other = littleLog(key, `log.example/${log}`, log, 3)
      expect((await submit(other.submission(0, 3))).status).toBe(200)
    }
  })

  it('for a note with signatures of other parties', async () => {
    const note = `${log.note(5)}— somebody.example AAAAAAAAAAAAAAAA\n`
    expect((await submit(requestOf(0, [], note))).status).toBe(200)
  })
})

describe('answers 400 for', () => {
  const note = littleLog(key, 'log.example/c/1/proof', 'x', 9).note(9)
  it.each([
    ['an empty body', ''],
    ['no old size', `\n${note}`],
    ['an old size with a zero before it', requestOf('01', [], note)],
    ['an old size below zero', requestOf('-1', [], note)],
    ['an old size above the safe integers', requestOf('9007199254740993', [], note)],
    ['two spaces', `old  0\n\n${note}`],
    ['carriage returns', requestOf(0, [], note).replaceAll('\n', '\r\n')],
    ['a hash that is too short', `old 4\nAAAA\n\n${note}`],
    ['a hash that is not base64', `old 4\n${'!'.repeat(44)}\n\n${note}`],
    ['64 hashes', requestOf(4, Array(64).fill(new Uint8Array(32)), note)],
    ['no checkpoint', 'old 0\n\n'],
    ['no signature', requestOf(0, [], note.slice(0, note.indexOf('\n\n') + 1))],
    ['an extension line in the checkpoint', requestOf(0, [], note.replace('\n\n', '\nextension\n\n'))],
    ['a size that is not a number', requestOf(0, [], note.replace('\n9\n', '\nnine\n'))],
  ])('%s', async (_name, body) => {
    expect((await submit(body)).status).toBe(400)
  })

  it('bytes that are not UTF-8', async () => {
    expect((await submit(Buffer.concat([Buffer.from(requestOf(0, [], note)), Buffer.of(0xff)]))).status).toBe(400)
  })

  it('an old size larger than the size of the checkpoint', async () => {
    await accepted(0, 7)
    expect((await submit(log.submission(7, 5))).status).toBe(400)
  })
})

describe('answers 403', () => {
  it('for a checkpoint signed by another key', async () => {
    const forged = littleLog(stranger, log.origin, 'the truth', 5)
    expect((await submit(forged.submission(0, 5))).status).toBe(403)
  })

  it('for a signature of another checkpoint', async () => {
    const [five = '', six = ''] = [log.note(5), log.note(6)]
    const mixed = five.slice(0, five.indexOf('—')) + six.slice(six.indexOf('—'))
    expect((await submit(requestOf(0, [], mixed))).status).toBe(403)
  })

  it('for the signature of another log of the same host', async () => {
    const other = littleLog(key, 'log.example/c/777/dpu', 'the truth', 5).note(5)
    const own = log.note(5)
    const mixed = own.slice(0, own.indexOf('—')) + other.slice(other.indexOf('—'))
    expect((await submit(requestOf(0, [], mixed))).status).toBe(403)
  })
})

describe('answers 404', () => {
  it.each([
    'another.example/c/1/proof',
    'log.example.evil/c/1/proof',
    'log.example/c/1/other',
    'log.example/c/01/proof',
    'log.example/c/x/proof',
    'log.example/c/1/proof/more',
    'log.example/c/1/proof/1',
    'log.example/c/1/proof/02',
    'log.example/c/1/proof/2/2',
    'log.example/c/1',
    'log.example/sandbox/1',
  ])('for the unknown log %s', async (origin) => {
    expect((await submit(littleLog(key, origin, 'x', 2).submission(0, 2))).status).toBe(404)
  })
})

describe('answers 409', () => {
  const conflict = (size: number) => ({ status: 409, body: `${size}\n`, type: 'text/x.tlog.size' })

  it('with the size that the witness knows', async () => {
    await accepted(0, 7)
    expect(await submit(log.submission(0, 9))).toEqual(conflict(7))
    expect(await submit(log.submission(5, 9))).toEqual(conflict(7))
    expect(await submit(log.submission(8, 9))).toEqual(conflict(7))
  })

  it('with zero for a new log', async () => {
    expect(await submit(log.submission(3, 9))).toEqual(conflict(0))
  })

  it('for a smaller checkpoint', async () => {
    await accepted(0, 7)
    expect(await submit(log.submission(5, 5))).toEqual(conflict(7))
    await accepted(7, 8)
  })

  it('for another root of the same size, and publishes both notes', async () => {
    await accepted(0, 7)
    const rewritten = littleLog(key, log.origin, 'another story', 40)
    expect(await submit(rewritten.submission(7, 7))).toEqual(conflict(7))
    expect(await submit(rewritten.submission(0, 7))).toEqual(conflict(7))
    expect(said.at(-1)).toContain(`CONTRADICTION: ${log.origin}`)
    const page = await (await fetch(`${url}/contradictions`)).text()
    expect(page).toContain(log.note(7))
    expect(page).toContain(rewritten.note(7))
    expect(page.split(log.note(7))).toHaveLength(2)
    await accepted(7, 8)
  })
})

describe('answers 422', () => {
  it('when the proof is missing, too long, of other sizes, or altered', async () => {
    await accepted(0, 7)
    const proof = log.proof(7, 11)
    const altered = proof.map((each) => Uint8Array.from(each))
    const [first] = altered
    if (first) first[0] = (first[0] ?? 0) ^ 1
    for (const wrong of [[], proof.slice(1), [...proof, new Uint8Array(32)], log.proof(7, 12), altered]) {
      expect((await submit(requestOf(7, wrong, log.note(11)))).status).toBe(422)
    }
    await accepted(7, 11)
  })

  it('when the earlier history was rewritten, even with a matching proof', async () => {
    await accepted(0, 7)
    const rewritten = littleLog(key, log.origin, 'another story', 40)
    expect((await submit(rewritten.submission(7, 30))).status).toBe(422)
    expect(said.at(-1)).toContain(log.origin)
  })

  it('for a proof with the old size 0', async () => {
    expect((await submit(requestOf(0, [new Uint8Array(32)], log.note(5)))).status).toBe(422)
  })
})

describe('other responses', () => {
  it('413 for a body that is too long', async () => {
    expect((await submit(requestOf(0, [], log.note(5)) + 'x'.repeat(40_000))).status).toBe(413)
  })

  it('405 for a wrong method and 404 for an unknown path', async () => {
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405)
    expect((await fetch(`${url}/`, { method: 'DELETE' })).status).toBe(405)
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
  })

  it('GET / shows name, key and number of logs', async () => {
    const text = await (await fetch(`${url}/`)).text()
    expect(text).toContain('This is the witness witness.example/w1.')
    expect(text).toContain(folder.vkey)
    expect(text).toContain(`Cosigned logs: ${state.counts().logs}\n`)
  })
})

describe('concurrent requests', () => {
  it('cosigns one of 50 contradicting checkpoints', async () => {
    const stories = Array.from({ length: 50 }, (_, at) => littleLog(key, log.origin, `story ${at}`, 6))
    const answers = await Promise.all(stories.map((story) => submit(story.submission(0, 6))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body === '6\n')).toHaveLength(49)
  })

  it('cosigns one of 50 sizes with the same old size', async () => {
    const long = littleLog(key, log.origin, 'the truth', 51)
    await accepted(0, 1)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => submit(long.submission(1, at + 2))))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  })

  it('cosigns for only one of three forks that share a key', async () => {
    const halves = [littleLog(key, log.origin, 'for you', 30), littleLog(key, log.origin, 'for me', 30)]
    await accepted(0, 3)
    const roots = new Map<number, Set<string>>()
    // Each fork behaves as an honest client: it retries from the size that the witness names.
    await Promise.all(
      [log, ...halves].map(async (half) => {
        for (let size = 3, old = 0; size < 30; ) {
          const { status, body } = await submit(half.submission(old, size))
          if (status === 200) {
            roots.set(size, (roots.get(size) ?? new Set()).add(half.note(size)))
            old = size++
          } else if (status === 409 && Number(body) > old && Number(body) <= size) old = Number(body)
          else break
        }
      }),
    )
    expect([...roots.keys()]).toHaveLength(27)
    for (const [size, notes] of roots) expect([...notes]).toEqual([log.note(size)])
  })
})
