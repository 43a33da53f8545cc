/**
 * What this server has signed or seen signed, kept outside the database: the newest checkpoint of every log. A database
 * that was set back, or whose end was cut off, then meets somebody who remembers. Without a folder it is remembered for
 * the life of the process.
 *
 * A file for each process: several may share the folder. A new process takes over what all of them say, and files that
 * nobody has touched for a day are of processes that are gone.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { nowMs } from '../lib/clock.ts'

export interface Remembered {
  readonly size: number
  /** In hex. */
  readonly root: string
}

export interface LogMemory {
  of(log: string): Remembered | undefined
  /** A smaller size than the remembered one teaches nothing. */
  remember(log: string, size: number, root: string): void
  close(): void
}

const flushEveryMs = 1000
const goneAfterMs = 24 * 3600 * 1000

export function openLogMemory(folder: string | null, log: Logger): LogMemory {
  const logs = new Map<string, Remembered>()
  const remember = (name: string, size: number, root: string): boolean => {
    if (size <= (logs.get(name)?.size ?? 0)) return false
    logs.set(name, { size, root })
    return true
  }
  if (folder === null) return { of: (name) => logs.get(name), remember, close() {} }

  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = join(folder, `checkpoints-${randomBytes(6).toString('hex')}.txt`)
  for (const file of readdirSync(folder).filter((name) => /^checkpoints-\w+\.txt$/.test(name))) {
    for (const line of textOf(join(folder, file)).split('\n')) {
      const [, name, size, root] = /^(\S+) (\d+) ([0-9a-f]{64})$/.exec(line) ?? []
      if (name && root) remember(name, Number(size), root)
    }
  }
  let changed = true
  const flush = () => {
    // No file before there is something to remember.
    if (logs.size === 0) return
    try {
      if (changed) {
        const text = [...logs].map(([name, { size, root }]) => `${name} ${size} ${root}\n`).join('')
        writeFileSync(`${own}.new`, text, { mode: 0o600 })
        renameSync(`${own}.new`, own)
        changed = false
      } else {
        const at = nowMs() / 1000
        utimesSync(own, at, at)
      }
    } catch (error) {
      log.error(
        { err: error, folder },
        'checkpoints could not be remembered outside the database; check TLOG_MEMORY_DIR',
      )
    }
  }
  flush()
  // What they said is in our own file now.
  for (const file of readdirSync(folder)) {
    const path = join(folder, file)
    const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (path !== own && touched !== undefined && nowMs() - touched > goneAfterMs) rmSync(path, { force: true })
  }
  const flushing = setInterval(flush, flushEveryMs).unref()
  return {
    of: (name) => logs.get(name),
    remember(name, size, root) {
      if (remember(name, size, root)) changed = true
    },
    close() {
      clearInterval(flushing)
      flush()
    },
  }
}

/** Another process may have just cleared it away; then its own file says the same. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
