/** The programs that started the hook: for agents that tell their version nowhere else. */
import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** The hook, its shell, perhaps a wrapper, and the agent. */
const maxDepth = 6

interface Process {
  readonly parent: number
  readonly words: readonly string[]
  readonly folder: string | null
}

function processOf(id: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')
    // The name, in parentheses, can hold blanks and parentheses.
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(parent), words, folder: readlinkSync(`/proc/${id}/cwd`) }
  } catch {
    // No /proc on macOS.
    const { stdout, status } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(id)], { encoding: 'utf8' })
    const [, parent, args = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
    return status === 0 && parent !== undefined
      ? { parent: Number(parent), words: args.split(' '), folder: null }
      : null
  }
}

/** Null for a process that has ended. */
export const parentOf = (id: number): number | null => processOf(id)?.parent ?? null

/** The version in the package.json with this name, in a folder above a file that an ancestor was started with. */
export function ancestorsVersion(packageName: string, start = process.ppid): string | null {
  let id = start
  for (let depth = 0; depth < maxDepth && id > 1; depth++) {
    const found = processOf(id)
    if (found === null) return null
    for (const word of found.words.slice(0, 4)) {
      const version = word === '' ? null : packageVersion(packageName, word, found.folder)
      if (version !== null) return version
    }
    id = found.parent
  }
  return null
}

/** Of the package that a program's file belongs to, through symbolic links such as those in node_modules/.bin. */
export function packageVersion(packageName: string, file: string, folder: string | null = null): string | null {
  if (!isAbsolute(file) && folder === null) return null
  let at: string
  try {
    at = dirname(realpathSync(isAbsolute(file) ? file : join(folder as string, file)))
  } catch {
    return null
  }
  for (;;) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
      if (name === packageName && typeof version === 'string') return version
    } catch {
      // The next folder.
    }
    const above = dirname(at)
    if (above === at) return null
    at = above
  }
}
