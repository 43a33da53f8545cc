import { randomBytes } from 'node:crypto'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { ed25519Verify } from '@countersign/proof/ed25519.node.ts'
import { checkNote, parseNote, verifierKey } from '@countersign/proof/signed-note.ts'
import { emptyRoot } from '@countersign/proof/tree.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../config/config.ts'
import { openCells } from '../../data/cells.ts'
import { useClock } from '../../lib/clock.ts'
import { makeLog } from '../../lib/log.ts'
import { openLogBook } from '../log-book.ts'
import { endorsementText, type LogKeys, localSigner, readLogKeys } from '../log-keys.ts'

const host = 'log.example'
const origin = `${host}/c/7/proof`
const newSeed = () => randomBytes(32).toString('base64')
const publicOf = (seed: string) => Buffer.from(localSigner(Buffer.from(seed, 'base64')).publicKey).toString('base64')
const read = (...lines: string[]) => readLogKeys(lines.join('\n'), host)

async function noteBy(keys: LogKeys, log = origin): Promise<string> {
  const text = checkpointText(log, 3, emptyRoot)
  return `${text}\n${(await keys.signLines([{ origin: log, text }]))[0]}`
}
const signers = (note: string, keys: LogKeys, log = origin) =>
  checkNote(parseNote(note), keys.verifiersOf(log)).signedBy.length

let restore = () => {}
afterEach(() => restore())

describe('a file of keys', () => {
  it('may be one seed, a key that is valid from the beginning', async () => {
    const keys = read(newSeed())
    expect(keys.all).toEqual([
      {
        vkey: expect.stringMatching(/^log\.example\+[0-9a-f]{8}\+/),
        publicKey: expect.anything(),
        from: '1970-01-01T00:00:00.000Z',
        until: null,
        stolenAt: null,
        endorsement: null,
      },
    ])
    expect(verifierKey(keys.all[0]?.vkey as string)).toMatchObject({ name: host, type: 1 })
    expect(signers(await noteBy(keys), keys)).toBe(1)
  })

  it('lists several keys, newest first, with comments and empty lines, and retired keys need no secret', () => {
    const [newer, older] = [newSeed(), newSeed()]
    const keys = read(
      '# the second one',
      `private ${newer} 2026-06-01T00:00:00.000Z c2lnbmVk # ours`,
      '',
      `  public ${publicOf(older)} 2026-01-01T00:00:00.000Z`,
    )
    expect(keys.all.map(({ from, until, endorsement }) => [from, until, endorsement])).toEqual([
      ['2026-06-01T00:00:00.000Z', null, 'c2lnbmVk'],
      ['2026-01-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', null],
    ])
    expect(Buffer.from(keys.all[1]?.publicKey as Uint8Array).toString('base64')).toBe(publicOf(older))
  })

  it.each([
    ['an empty file', [''], /first key must be a private key.*openssl rand/],
    ['only comments', ['# later'], /first key must be a private key/],
    ['a first key that cannot sign', [`public ${newSeed()} 2026-01-01`], /first key must be a private key/],
    ['a key that is too short', ['private c2hvcnQ= 2026-01-01'], /32 bytes in base64/],
    ['a key in another spelling', [newSeed().replace(/=$/, '')], /32 bytes in base64/],
    ['another word', [`secret ${newSeed()} 2026-01-01`], /`private` or `public`/],
    ['a time that is not ISO 8601', [`private ${newSeed()} yesterday`], /ISO 8601/],
    ['no time', [`private ${newSeed()}`], /ISO 8601/],
    ['the wrong order', [`private ${newSeed()} 2026-01-01`, `private ${newSeed()} 2026-06-01`], /newest first/],
    ['the same time twice', [`private ${newSeed()} 2026-01-01`, `private ${newSeed()} 2026-01-01`], /newest first/],
    ['only a key that signs later', [`private ${newSeed()} 2999-01-01`], /no private key is signing yet/],
    [
      'a current key without its secret',
      [`private ${newSeed()} 2999-01-01`, `public ${newSeed()} 2026-01-01`],
      /no private key is signing yet/,
    ],
  ])('is refused with a message: %s', (_, lines, words) => {
    expect(() => read(...lines)).toThrow(words)
  })

  it('is refused at the start with the name of the setting, and without the key', () => {
    const config = readConfig({
      DATABASE_URL: 'postgres://h/d',
      SECRET_KEY: newSeed(),
      TLOG_KEY: 'private c2VjcmV0 2026-01-01',
      LOG_LEVEL: 'silent',
    })
    const log = makeLog(config, { write: () => {} })
    const opening = () => openLogBook(config, openCells(config, log), log)
    expect(opening).toThrow(ConfigError)
    expect(opening).toThrow(/^setting TLOG_KEY or TLOG_KEY_FILE: each line must be/)
    expect(opening).not.toThrow(/c2VjcmV0/)
    expect(JSON.stringify(config)).not.toContain('c2VjcmV0')
  })
})

describe('a signature', () => {
  it('is valid for one log and no other', async () => {
    const keys = read(newSeed())
    const note = await noteBy(keys)
    expect(signers(note, keys)).toBe(1)
    expect(signers(note, keys, `${host}/c/8/proof`)).toBe(0)
    expect(signers(note, read(newSeed()))).toBe(0)
  })
})

describe('rotation', () => {
  const old = newSeed()
  const next = newSeed()
  const from = '2030-01-01T00:00:00.000Z'
  const before = read(old)
  const endorsement = () => {
    const text = endorsementText(read(next).all[0]?.vkey as string, from)
    const signed = localSigner(Buffer.from(old, 'base64')).sign([Buffer.from(text)]) as Uint8Array[]
    return Buffer.from(signed[0] as Uint8Array).toString('base64')
  }

  it('announces the next key, and the old key signs until the time of the next', async () => {
    const both = read(`private ${next} ${from} ${endorsement()}`, old)
    restore = useClock(() => Date.parse(from) - 1)
    const early = await noteBy(both)
    expect([signers(early, before), signers(early, read(next))]).toEqual([1, 0])
    restore()
    restore = useClock(() => Date.parse(from))
    const late = await noteBy(both)
    expect([signers(late, before), signers(late, read(next))]).toEqual([0, 1])
    // Processes that started before and after the change agree about both keys.
    expect([signers(early, both), signers(late, both)]).toEqual([1, 1])
  })

  it('keeps signatures of the old key valid without its secret', async () => {
    const note = await noteBy(before)
    restore = useClock(() => Date.parse(from))
    const after = read(`private ${next} ${from} ${endorsement()}`, `public ${publicOf(old)} 1970-01-01T00:00:00.000Z`)
    expect(signers(note, after)).toBe(1)
  })

  it('includes the endorsement of the new key and its time by the previous key', () => {
    restore = useClock(() => Date.parse(from))
    const [newer, older] = read(`private ${next} ${from} ${endorsement()}`, old).all
    const text = (time: string) => Buffer.from(endorsementText(newer?.vkey as string, time))
    const signature = Buffer.from(newer?.endorsement as string, 'base64')
    expect(ed25519Verify(older?.publicKey as Uint8Array, text(from), signature)).toBe(true)
    expect(ed25519Verify(older?.publicKey as Uint8Array, text('2029-01-01T00:00:00.000Z'), signature)).toBe(false)
  })
})

describe('a key that was stolen', () => {
  it('is marked in a comment, verifies, and never signs', () => {
    const [present, past] = [newSeed(), newSeed()]
    const publicHalf = Buffer.from(localSigner(Buffer.from(past, 'base64')).publicKey).toString('base64')
    const keys = read(`private ${present} 2026-02-01T00:00:00Z`, `public ${publicHalf} 2026-01-01T00:00:00Z #stolen`)
    expect(keys.all.map(({ stolenAt }) => stolenAt)).toEqual([null, '2026-02-01T00:00:00Z'])
    expect(keys.verifiersOf(host)).toHaveLength(2)
    expect(() => read(`private ${past} 2026-01-01T00:00:00Z #stolen`)).toThrow('the first key was stolen')
  })

  it('is told apart by the lines that it made', async () => {
    const [present, past] = [newSeed(), newSeed()]
    const lineBy = async (keys: LogKeys) =>
      (await keys.signLines([{ origin: `${host}/c/1/dpu`, text: 'text' }]))[0] as string
    const publicHalf = Buffer.from(localSigner(Buffer.from(past, 'base64')).publicKey).toString('base64')
    const keys = read(`private ${present} 2026-02-01T00:00:00Z`, `public ${publicHalf} 2026-01-01T00:00:00Z #stolen`)
    expect(keys.isByStolenKey(await lineBy(read(past)))).toBe(true)
    expect(keys.isByStolenKey(await lineBy(keys))).toBe(false)
  })
})
