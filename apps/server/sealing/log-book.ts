/** The names, keys and fences of this host's logs, opened once for the life of the process. */

import { logName } from '@countersign/proof/chain.ts'
import { generationName } from '@countersign/proof/generations.ts'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config/config.ts'
import type { Cells } from '../data/cells.ts'
import { nowMs } from '../lib/clock.ts'
import { unavailable } from '../lib/problem.ts'
import { type Fences, openFences } from './fence/open.ts'
import { type LogKey, LogKeyError, type LogKeys, readLogKeys, rememberLines } from './log-keys.ts'
import { restingLogs } from './resting-logs.ts'
import type { LogBook } from './trees.ts'

/**
 * The log keys of a running process. They change without a restart: the file is read again, and a key that was reported stolen
 * signs nothing more, here or on a machine that still has the old file.
 */
/** A key that an operator reported, in the directory. */
export interface StolenKey {
  readonly publicKey: Uint8Array
  readonly at: Date
}

export interface KeyRing extends LogKeys {
  /** Reads the keys again. Throws where the new ones cannot be used: those before stay. */
  reload(): void
  /** All keys that were reported so far. */
  report(stolen: readonly StolenKey[]): void
  /** The key whose turn it is. */
  readonly current: LogKey
  /** Whether this process may sign nothing, because that key was stolen. */
  readonly refuses: boolean
}

const nameOf = (publicKey: Uint8Array): string => Buffer.from(publicKey).toString('hex')

export function openKeyRing(read: () => string, host: string): KeyRing {
  let text = read()
  let current = rememberLines(readLogKeys(text, host))
  let reported: ReadonlyMap<string, string> = new Map()
  let all = current.all

  const isReported = ({ publicKey }: LogKey): boolean => reported.has(nameOf(publicKey))
  const describe = (): void => {
    all = current.all.map((key) => ({ ...key, stolenAt: key.stolenAt ?? reported.get(nameOf(key.publicKey)) ?? null }))
  }
  const signing = (): LogKey => {
    const key = current.signing()
    if (isReported(key))
      throw unavailable(
        "The service can't sign records right now",
        new Error(`the log key ${key.vkey} was stolen, and this process has no other one: bring it the new key file`),
      )
    return key
  }
  return {
    get all() {
      return all
    },
    get current() {
      return current.signing()
    },
    get refuses() {
      return isReported(current.signing())
    },
    signing,
    async signLines(checkpoints) {
      signing()
      return current.signLines(checkpoints)
    },
    verifiersOf: (origin) => current.verifiersOf(origin),
    isByStolenKey: (line) => current.isByStolenKey(line),
    reload() {
      const found = read()
      if (found === text) return
      const next = rememberLines(readLogKeys(found, host))
      // A file that was copied halfway would let every earlier signature look forged.
      const known = new Set(next.all.map(({ vkey }) => vkey))
      const lacking = current.all.find(({ vkey, from }) => !known.has(vkey) && Date.parse(from) <= nowMs())
      if (lacking) throw new LogKeyError(`the new file lacks the key ${lacking.vkey}, which has signed`)
      text = found
      current = next
      describe()
    },
    report(stolen) {
      const next = new Map(stolen.map(({ publicKey, at }) => [nameOf(publicKey), at.toISOString()]))
      if (next.size === reported.size && [...next.keys()].every((name) => reported.has(name))) return
      reported = next
      describe()
    },
  }
}

export interface OpenLogBook extends LogBook {
  readonly keys: KeyRing
  readonly fences: Fences
  /** Before the cells are closed: it writes signatures there. */
  close(): Promise<void>
}

type LogConfig = Pick<Config, 'log' | 'logHost'>

export function openLogBook(
  { log: settings, logHost }: LogConfig,
  cells: Pick<Cells, 'of' | 'all'>,
  log: Logger,
): OpenLogBook {
  const keys = openKeys(settings.keys, logHost)
  const fences = openFences(settings.fence, cells, log)
  const resting = restingLogs(cells.of, log)
  return {
    nameOf: ({ center_id, domain, generation }) => generationName(logName(logHost, center_id, domain), generation),
    keys,
    fenceOf: fences.of,
    resting,
    fences,
    async close() {
      await resting.close()
      await fences.close()
    },
  }
}

function openKeys(read: () => string, host: string): KeyRing {
  try {
    return openKeyRing(read, host)
  } catch (error) {
    throw new ConfigError(`setting TLOG_KEY or TLOG_KEY_FILE: ${(error as Error).message}`)
  }
}
