/**
 * What must survive the process: which decision a call has, and with which right it was allowed. One small file per call, written
 * whole and then linked or renamed into place, so that any number of hooks can read and write at once and a kill leaves no half file.
 * There is no input of a call in them, only digests.
 *
 *     open     the decision was asked for; the same call finds it
 *     allowed  the approval was consumed and the agent was told to run the call; the outcome isn't reported yet
 */
import { hash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

export interface Open {
  /** The decision's ID, which the server knows the call by. */
  readonly callId: string
  readonly at: number
}

export interface Allowed {
  readonly eventId: string
  readonly executor: string
  readonly at: number
}

/** What identifies a call on this machine. */
export interface CallNames {
  readonly agent: string
  readonly session: string
  /** Of everything that an approval is for. */
  readonly digest: string
  /** The agent's own ID, or the digest where the agent has none. */
  readonly own: string
}

export interface Calls {
  /** The decision of this call: that of `open` if nobody was first, else the first one's. */
  openAs(names: CallNames, open: Open): Open
  /** The decision will not be used any more. */
  close(names: CallNames): void
  /** Ends `open`. On disk before it returns. */
  allow(names: CallNames, allowed: Allowed): void
  /** Taken from the disk: one caller gets it. */
  takeAllowed(names: CallNames): Allowed | null
  /** Since when; null if it isn't. */
  allowedAt(names: CallNames): number | null
  /** Of a session, or those that are older; taken as above. */
  takeAll(which: { readonly agent: string; readonly session: string } | { readonly before: number }): readonly Allowed[]
}

const short = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)
const sessionOf = ({ agent, session }: Pick<CallNames, 'agent' | 'session'>): string => short(agent, session)
const keptMs = 30 * 24 * 3_600_000

export function openCalls(folder: string): Calls {
  const place = join(folder, 'calls')
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const openFile = (names: CallNames) => join(place, `${sessionOf(names)}-${short(names.digest)}.open`)
  const allowedFile = (names: CallNames) => join(place, `${sessionOf(names)}-${short(names.own)}.allowed`)

  function draft(value: unknown): string {
    const file = join(place, `${process.pid}-${randomBytes(8).toString('hex')}.new`)
    const opened = openSync(file, 'wx', 0o600)
    try {
      writeSync(opened, JSON.stringify(value))
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    return file
  }

  function synced(): void {
    const opened = openSync(place, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  }

  const read = <T>(file: string): T | null => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as T
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  /** Renaming has one winner. */
  function take(file: string): Allowed | null {
    const mine = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
    try {
      renameSync(file, mine)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    const found = read<Allowed>(mine)
    rmSync(mine, { force: true })
    return found
  }

  return {
    openAs(names, open) {
      const mine = draft(open)
      try {
        for (;;) {
          try {
            linkSync(mine, openFile(names))
            synced()
            return open
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
          }
          const first = read<Open>(openFile(names))
          if (first) return first
        }
      } finally {
        rmSync(mine, { force: true })
      }
    },
    close: (names) => rmSync(openFile(names), { force: true }),
    allow(names, allowed) {
      renameSync(draft(allowed), allowedFile(names))
      synced()
      rmSync(openFile(names), { force: true })
    },
    takeAllowed: (names) => take(allowedFile(names)),
    allowedAt: (names) => read<Allowed>(allowedFile(names))?.at ?? null,
    takeAll(which) {
      const files = readdirSync(place)
      const found: Allowed[] = []
      for (const name of files) {
        const file = join(place, name)
        const isMine = 'before' in which || name.startsWith(sessionOf(which))
        if (!isMine) continue
        const row = read<{ at?: number }>(file)
        const isOld = !('before' in which) || (row?.at ?? 0) < which.before
        if (name.endsWith('.allowed') && isOld) {
          const taken = take(file)
          if (taken) found.push(taken)
        } else if ((row?.at ?? 0) < Date.now() - keptMs && !name.endsWith('.allowed')) rmSync(file, { force: true })
      }
      return found
    },
  }
}
