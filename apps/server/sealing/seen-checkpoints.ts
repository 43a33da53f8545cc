/**
 * The newest checkpoint of every log that this server has signed or seen, kept outside the database. It detects a
 * database that was restored to an earlier state or truncated. Without a folder, checkpoints are remembered for the
 * life of the process.
 *
 * Each process has its own file, so processes may share the folder. A new process reads all files. A file that is
 * unchanged for a day belongs to a process that has ended, and is deleted.
 */
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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
  /** Ignores a size that is not larger than the remembered one. */
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
    try {
      // No file before there is something to remember; a folder that cannot be written is reported all the same.
      if (logs.size === 0) accessSync(folder, constants.W_OK)
      else if (changed) {
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
  // Their checkpoints are in this process's own file now.
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

/** Another process may have deleted the file; its own file then has the same checkpoints. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
