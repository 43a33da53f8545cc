/**
 * `npm run operator -- log-key …`: the keys that sign checkpoints. They are in a file and in no database, so nothing here
 * asks one: a server without a key does not even start.
 */
import { randomBytes } from 'node:crypto'
import { chmod, open, rename } from 'node:fs/promises'
import { type Environment, readConfig } from '../config.ts'
import { now, nowMs, secondsFromNow } from '../lib/clock.ts'
import { KeyFileError, readKeyFile } from '../lib/key-file.ts'
import { Problem } from '../lib/problem.ts'
import {
  endorsementText,
  LogKeyError,
  type LogKeyLine,
  localSigner,
  parseLogKeyLines,
  readLogKeys,
} from '../sealing/log-keys.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A line for TLOG_KEY_FILE. */
export const newLogKey = (): string => `private ${base64(randomBytes(32))} ${now().toISOString()}`

/** Long enough for every process to be restarted, and for people elsewhere to add a line to their files. */
const noticeSeconds = 7 * 24 * 3600

const written = ({ kind, bytes, from, endorsement }: LogKeyLine): string =>
  [kind, base64(bytes), from, ...(endorsement === null ? [] : [endorsement])].join(' ')

/** What is left of a key that signs no more: enough to check what it signed. */
const publicHalf = (line: LogKeyLine): string =>
  written(
    line.kind === 'public' ? line : { ...line, kind: 'public', bytes: Buffer.from(localSigner(line.bytes).publicKey) },
  )

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
  const lines = readLines(file, logHost)
  const coming = lines.filter(({ from }) => Date.parse(from) > nowMs())
  if (coming.length > 0 && !stolen) {
    const [{ from }] = coming as [LogKeyLine]
    throw new Problem('CONFLICT', `The first key of "${file}" signs only from ${from} on; wait until then.`)
  }
  // A key that has signed nothing yet is missed by nobody.
  const [present, ...older] = lines.filter((line) => !coming.includes(line)) as [LogKeyLine, ...LogKeyLine[]]
  const seed = randomBytes(32)
  const from = (stolen ? now() : secondsFromNow(noticeSeconds)).toISOString()
  const { vkey } = readLogKeys(base64(seed), logHost).all[0] as Rotated
  const newest = `private ${base64(seed)} ${from}`
  const kept = older.map(publicHalf)
  const all = stolen
    ? [newest, publicHalf(present), ...kept]
    : [`${newest} ${endorsed(present, vkey, from)}`, written(present), ...kept]
  await replace(file, `${all.join('\n')}\n`)
  return { vkey, from }
}

function endorsed({ bytes }: LogKeyLine, vkey: string, from: string): string {
  const signatures = localSigner(bytes).sign([Buffer.from(endorsementText(vkey, from))])
  return base64((signatures as readonly Uint8Array[])[0] as Uint8Array)
}

function readLines(file: string, host: string): readonly LogKeyLine[] {
  try {
    const text = readKeyFile(file)
    readLogKeys(text, host)
    return parseLogKeyLines(text)
  } catch (error) {
    if (error instanceof KeyFileError) throw new Problem('CONFLICT', `The file "${file}" ${error.message}.`)
    if (error instanceof LogKeyError)
      throw new Problem('CONFLICT', `The file "${file}" is not as it should be: ${error.message}.`)
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
