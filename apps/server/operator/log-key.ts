/**
 * `npm run operator -- log-key …`: the keys that sign checkpoints. They are in a file and in no database. Nothing here
 * needs a database, because a server without a key does not start; after a theft, the directory is told if it answers.
 */
import { randomBytes } from 'node:crypto'
import { chmod, open, rename } from 'node:fs/promises'
import { vkeyOf } from '@countersign/proof/signed-note.ts'
import { audit } from '../audit/audit.ts'
import { type Environment, readConfig } from '../config/config.ts'
import { KeyFileError, readKeyFile } from '../config/key-file.ts'
import { openOperatorShell } from '../data/operator.ts'
import { now, nowMs, secondsFromNow } from '../lib/clock.ts'
import { makeLog } from '../lib/log.ts'
import { Problem } from '../lib/problem.ts'
import { reportStolenKey } from '../sealing/key-queries.ts'
import type { StolenKey } from '../sealing/log-book.ts'
import {
  endorsementText,
  type LogKey,
  LogKeyError,
  type LogKeyLine,
  localSigner,
  parseLogKeyLines,
  readLogKeys,
  stolenMark,
} from '../sealing/log-keys.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A line for TLOG_KEY_FILE. */
export const newLogKey = (): string => `private ${base64(randomBytes(32))} ${now().toISOString()}`

/** Long enough to restart every process, and for witnesses and auditors to add the key to their files. */
const noticeSeconds = 7 * 24 * 3600

const written = ({ kind, bytes, from, endorsement, isStolen }: LogKeyLine): string =>
  [kind, base64(bytes), from, ...(endorsement === null ? [] : [endorsement]), ...(isStolen ? [stolenMark] : [])].join(
    ' ',
  )

/** The public half of a retired key, to verify its signatures. */
const publicHalf = (line: LogKeyLine): string =>
  written(
    line.kind === 'public' ? line : { ...line, kind: 'public', bytes: Buffer.from(localSigner(line.bytes).publicKey) },
  )

export interface Rotated {
  readonly vkey: string
  readonly from: string
  /** Of the key before, if it was stolen. */
  readonly stolen: StolenKey | null
}

/** The settings without keys and stores, which the command must not need. */
const readSettings = (settings: Environment) =>
  readConfig({
    ...settings,
    TLOG_KEY: base64(randomBytes(32)),
    TLOG_KEY_FILE: undefined,
    TLOG_FENCE: 'none',
    TLOG_FENCE_COPY: undefined,
  })

/**
 * Adds a new first key. The current key endorses it, and it signs after a notice period. If the current key was stolen,
 * the new key signs at once and without an endorsement, because the thief could also make one.
 */
export async function rotateLogKey(file: string, settings: Environment, stolen: boolean): Promise<Rotated> {
  const { logHost } = readSettings(settings)
  const lines = readLines(file, logHost)
  const coming = lines.filter(({ from }) => Date.parse(from) > nowMs())
  if (coming.length > 0 && !stolen) {
    const [{ from }] = coming as [LogKeyLine]
    throw new Problem('CONFLICT', `The first key in "${file}" starts signing at ${from}. Rotate again after that.`)
  }
  // A key that has not signed yet can be dropped.
  const [present, ...older] = lines.filter((line) => !coming.includes(line)) as [LogKeyLine, ...LogKeyLine[]]
  const seed = randomBytes(32)
  const from = (stolen ? now() : secondsFromNow(noticeSeconds)).toISOString()
  const { vkey } = readLogKeys(base64(seed), logHost).all[0] as LogKey
  const newest = `private ${base64(seed)} ${from}`
  const kept = older.map(publicHalf)
  const all = stolen
    ? [newest, publicHalf({ ...present, isStolen: true }), ...kept]
    : [`${newest} ${endorsed(present, vkey, from)}`, written(present), ...kept]
  await replace(file, `${all.join('\n')}\n`)
  const [, before] = readLogKeys(all.join('\n'), logHost).all
  return { vkey, from, stolen: stolen && before ? { publicKey: before.publicKey, at: new Date(from) } : null }
}

const caller = { requestId: 'operator', actorId: null, centerId: 0 }

/** Tells processes on other machines, which do not see the file. Returns why that was not possible, or null. */
export async function reportTheft(settings: Environment, stolen: StolenKey): Promise<string | null> {
  const config = readSettings(settings)
  const shell = openOperatorShell(config, makeLog({ ...config, logLevel: 'silent' }))
  try {
    await shell.asOperator(caller, async (tx) => {
      await reportStolenKey(tx, stolen)
      const id = vkeyOf(config.logHost, 1, stolen.publicKey)
      await audit(tx, { type: 'settings.updated', action: 'log-key stolen', target: { type: 'log_key', id } })
    })
    return null
  } catch (error) {
    return (error as Error).message
  } finally {
    await shell.close()
  }
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
      throw new Problem('CONFLICT', `The file "${file}" is malformed: ${error.message}.`)
    throw error
  }
}

/** Replaces the file atomically: it always holds a key. */
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

/** `untold`: why the directory could not be told of a theft. */
export function rotationInstructions(file: string, { vkey, from, stolen }: Rotated, untold: string | null): string {
  const line = `  log ${vkey}`
  if (stolen) {
    const spread =
      untold === null
        ? `1. Processes that read this file start signing with the new key within five seconds, without a restart. All others, on
   other machines or with TLOG_KEY, stop signing: copy the file to them now. doctor lists each process's key.`
        : `1. The theft couldn't be recorded in the directory: ${untold}
   Processes that read this file start signing with the new key within five seconds. All others keep signing with the
   stolen key: stop them, and copy the file to them.`
    return `A new key is now first in ${file} and signs from now on. Only the public half of the old key is kept.

${line}

${spread}
2. Through a channel that the thief can't use, ask witnesses and auditors to replace the old line with this one. It has
   no endorsement, because the thief could have endorsed another key.
3. To learn what the old key still proves, read "The log key" in docs/runbook.md.`
  }
  return `A new key is now first in ${file}, endorsed by the previous key. It starts signing at ${from}.

${line}

Before that time:
1. Copy this file to every machine. Processes reload it within seconds; a process without the new key treats its
   signatures as forged. doctor lists each process's key.
2. Ask witnesses to add this line to their configuration and keep the old one.
3. Ask auditors to add it to their trust policies, and to keep the old line for earlier signatures. The endorsement
   is published at /.well-known/countersign-log.json.`
}
