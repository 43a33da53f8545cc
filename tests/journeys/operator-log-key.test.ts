/** `npm run operator -- log-key`: creating and rotating the key that signs checkpoints. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519Verify } from '@countersign/proof/ed25519.node.ts'
import { useClock } from '@countersign/server/lib/clock.ts'
import { endorsementText, type LogKey, readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commands } from '../../apps/server/operator/commands.ts'
import { UsageError } from '../../apps/server/operator/shell.ts'
import type { TestServer } from '../support/server.ts'
import { misuse, run } from './operator-shell.ts'

let folder: string
let file: string
let restore = () => {}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-log-key-'))
  file = join(folder, 'log-key')
})
afterEach(() => {
  restore()
  rmSync(folder, { recursive: true })
})

const host = 'log.example'
const settings = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nowhere',
  SECRET_KEY: randomBytes(32).toString('base64'),
  PUBLIC_URL: 'https://countersign.example',
  TLOG_HOST: host,
}
async function logKey(...args: string[]): Promise<string> {
  const command = commands['log-key']
  if (!command || !('runOffline' in command)) throw new Error('it needs a database')
  return command.runOffline(settings, ...args)
}

const keysIn = () => readLogKeys(readFileSync(file, 'utf8'), host).all
const week = 7 * 24 * 3600 * 1000

async function makeKey(): Promise<string> {
  const line = await logKey('new')
  writeFileSync(file, line)
  return line
}

it('needs neither a database nor a key', async () => {
  const nowhere = {
    services: { config: { databaseUrl: settings.DATABASE_URL, secretKeys: [Buffer.alloc(32)] } },
  } as unknown as TestServer
  const operator = (...args: string[]) => run(nowhere, ['log-key', ...args], { NODE_ENV: 'production' })
  expect(await operator('new')).toEqual({
    code: 0,
    said: expect.stringMatching(/^private [\w+/]{43}= \d{4}-\d\d-\d\dT[\d:.]+Z\n$/),
    complained: '',
  })
  expect(await operator('make')).toEqual(misuse('The first argument must be new or rotate, not "make".'))
})

it('prints a different new key as a line for the file on each call', async () => {
  expect(await makeKey()).not.toBe(await makeKey())
  expect(keysIn()).toHaveLength(1)
})

it('adds an endorsed key that signs a week later, and names the parties to inform', async () => {
  const line = await makeKey()
  const said = await logKey('rotate', file)
  const [newer, older] = keysIn() as [LogKey, LogKey]
  const text = Buffer.from(endorsementText(newer.vkey, newer.from))
  expect(ed25519Verify(older.publicKey, text, Buffer.from(newer.endorsement as string, 'base64'))).toBe(true)
  expect(Math.abs(Date.parse(newer.from) - Date.now() - week)).toBeLessThan(600_000)
  expect([older.from, older.until]).toEqual([line.split(' ')[2], newer.from])
  expect(said).toContain(`log ${newer.vkey}\n`)
  expect(said).toContain(newer.from)
  for (const word of ['witnesses', 'auditors', 'every machine', 'each process']) expect(said).toContain(word)
  expect(said).not.toContain('private')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['log-key'])
})

it('refuses a second rotation before the first key is in use', async () => {
  await makeKey()
  await logKey('rotate', file)
  const kept = readFileSync(file, 'utf8')
  const from = keysIn()[0]?.from
  await expect(logKey('rotate', file)).rejects.toThrow(
    `The first key in "${file}" starts signing at ${from}. Rotate again after that.`,
  )
  expect(readFileSync(file, 'utf8')).toBe(kept)
})

it('makes the new key sign at once, unendorsed, after a theft, and keeps only public keys of the others', async () => {
  const line = await makeKey()
  await logKey('rotate', file)
  const [announced, stolen] = keysIn() as [LogKey, LogKey]
  const said = await logKey('rotate', file, '--stolen')
  const keys = keysIn()
  expect(keys.map(({ vkey }) => vkey)).toEqual([expect.any(String), stolen.vkey])
  expect(keys[0]?.endorsement).toBeNull()
  expect(Date.parse(keys[0]?.from as string)).toBeLessThanOrEqual(Date.now())
  const written = readFileSync(file, 'utf8')
  expect(written.match(/private/g)).toHaveLength(1)
  expect(written).not.toContain(line.split(' ')[1])
  expect(said).toContain(`log ${keys[0]?.vkey}`)
  expect(said).not.toContain(announced.vkey)
  // It was marked, and processes that cannot be told are named.
  expect(keys[1]?.stolenAt).toBe(keys[0]?.from)
  expect(said).toMatch(
    /The theft couldn't be recorded in the directory: .*\n.*\n {3}stolen key: stop them, and copy the file to them\./,
  )
  // The mark stays through later rotations.
  await logKey('rotate', file)
  expect(keysIn().find(({ vkey }) => vkey === stolen.vkey)?.stolenAt).toBe(keys[0]?.from)
})

it('keeps only the public keys of retired keys', async () => {
  const key = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  const [present, past, first] = [key(), key(), key()]
  writeFileSync(
    file,
    `# ours\nprivate ${present} 2026-02-01T00:00:00.000Z ZW5kb3JzZWQ=\nprivate ${past} 2026-01-01T00:00:00.000Z eQ==\n${first}\n`,
  )
  const before = keysIn()
  await logKey('rotate', file)
  const written = readFileSync(file, 'utf8')
  expect(written.split('\n').map((line) => line.split(' ')[0])).toEqual(['private', 'private', 'public', 'public', ''])
  for (const secret of [past, first]) expect(written).not.toContain(secret)
  const strip = ({ vkey, from, endorsement }: (typeof before)[0]) => ({ vkey, from, endorsement })
  expect(keysIn().slice(1).map(strip)).toEqual(before.map(strip))
  restore = useClock(() => Date.now() + week + 1000)
  expect(keysIn()).toHaveLength(4)
})

it('requires new or rotate, and a file to rotate', async () => {
  for (const [args, words] of [
    [['rotate'], /^FILE is missing/],
    [['new', file], /^log-key new takes no FILE/],
    [['rotate', file, '--leaked'], /^Unknown option "--leaked". Use --stolen/],
  ] as const) {
    const called = logKey(...args)
    await expect(called).rejects.toThrow(UsageError)
    await expect(called).rejects.toThrow(words)
  }
})

it('refuses a missing or invalid file', async () => {
  await expect(logKey('rotate', file)).rejects.toThrow(`The file "${file}" can't be read (ENOENT).`)
  for (const text of ['', 'private short 2026-01-01']) {
    writeFileSync(file, text)
    await expect(logKey('rotate', file)).rejects.toThrow(/is malformed: (the first key|each line)/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})
