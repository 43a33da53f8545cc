/**
 * `npm run operator -- log-key …`: the keys that sign checkpoints. They are in a file and in no database, so nothing here
 * asks one: a server without a key does not even start.
 */
import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename } from 'node:fs/promises'
import { type Environment, readConfig } from '../config.ts'
import { now, nowMs, secondsFromNow } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { endorsementText, LogKeyError, localSigner, readLogKeys } from '../sealing/log-keys.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A line for TLOG_KEY_FILE. */
export const newLogKey = (): string => `private ${base64(randomBytes(32))} ${now().toISOString()}`

/** Long enough for every process to be restarted, and for people elsewhere to add a line to their files. */
const noticeSeconds = 7 * 24 * 3600

interface KeyFileLine {
  readonly text: string
  readonly seed: Buffer | null
  readonly from: string
}

const keyLines = (text: string): readonly KeyFileLine[] =>
  text.split('\n').flatMap((line) => {
    const words = line.replace(/#.*/, '').trim().split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    const [kind, key = '', from = ''] = words.length === 1 ? ['private', ...words, '1970-01-01T00:00:00.000Z'] : words
    const endorsement = words[3] === undefined ? '' : ` ${words[3]}`
    const seed = kind === 'private' ? Buffer.from(key, 'base64') : null
    return [{ text: `${kind} ${key} ${from}${endorsement}`, seed, from }]
  })

/** What is left of a key that signs no more: enough to check what it signed. */
const publicHalf = ({ text, seed }: KeyFileLine): string =>
  seed === null
    ? text
    : `public ${base64(localSigner(seed).publicKey)}${text.slice(text.indexOf(' ', 'private '.length))}`

export interface Rotated {
  readonly vkey: string
  readonly from: string
}

/**
 * Puts a new key in front. It is endorsed by the one that signs now and takes over after a notice; if that one was stolen,
 * it takes over at once and nobody endorses it, because the thief could, too.
 */
export async function rotateLogKey(file: string, settings: Environment, stolen: boolean): Promise<Rotated> {
  const { logHost } = readConfig({ ...settings, TLOG_KEY: base64(randomBytes(32)), TLOG_KEY_FILE: undefined })
  const lines = await readKeyFile(file, logHost)
  const coming = lines.filter(({ from }) => Date.parse(from) > nowMs())
  if (coming.length > 0 && !stolen) {
    const [{ from }] = coming as [KeyFileLine]
    throw new Problem('CONFLICT', `The first key of "${file}" signs only from ${from} on; wait until then.`)
  }
  // A key that has signed nothing yet is missed by nobody.
  const [present, ...older] = lines.filter((line) => !coming.includes(line)) as [KeyFileLine, ...KeyFileLine[]]
  const seed = randomBytes(32)
  const from = (stolen ? now() : secondsFromNow(noticeSeconds)).toISOString()
  const { vkey } = readLogKeys(base64(seed), logHost).all[0] as Rotated
  const newest = `private ${base64(seed)} ${from}`
  const kept = older.map(publicHalf)
  const written = stolen
    ? [newest, publicHalf(present), ...kept]
    : [`${newest} ${endorsed(present, vkey, from)}`, present.text, ...kept]
  await replace(file, `${written.join('\n')}\n`)
  return { vkey, from }
}

function endorsed({ seed }: KeyFileLine, vkey: string, from: string): string {
  const signatures = localSigner(seed as Buffer).sign([Buffer.from(endorsementText(vkey, from))])
  return base64((signatures as readonly Uint8Array[])[0] as Uint8Array)
}

async function readKeyFile(file: string, host: string): Promise<readonly KeyFileLine[]> {
  try {
    const text = await readFile(file, 'utf8')
    readLogKeys(text, host)
    return keyLines(text)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const why = error instanceof LogKeyError ? `is not as it should be: ${error.message}` : `cannot be read (${code})`
    if (error instanceof LogKeyError || code !== undefined) throw new Problem('CONFLICT', `The file "${file}" ${why}.`)
    throw error
  }
}

/** Whole or not at all: between the two there is no moment without a key. */
async function replace(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
}

export function rotationNews(file: string, { vkey, from }: Rotated, stolen: boolean): string {
  const line = `  log ${vkey}`
  if (stolen) {
    return `A new key stands first in ${file} and signs at once; of the old one only the public half is left.

${line}

1. Start every process again with this file now. Until then it signs with the stolen key.
2. Tell witnesses and auditors by a way that the thief does not have: put this line in place of the old one. Nothing
   endorses it, because the thief could have endorsed another.
3. Read "The log key" in docs/runbook.md about what the old key still proves.`
  }
  return `A new key stands first in ${file}, endorsed by the one before, and signs from ${from} on.

${line}

Before that time:
1. Start every process again with this file. One that does not know the key takes its signatures for a forgery.
2. Ask witnesses to add this line to their configuration, beside the old one.
3. Tell auditors to add it to their policies, and to keep the old line: it proves everything up to then. The endorsement
   is published at /.well-known/countersign-log.json.`
}
