/** Files that a command line runs, as the hook finds them before the run. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { shells } from './shell-programs.ts'

export const mostBytes = 131_072

/** The text of a file; null if it isn't there, isn't a file, or is too large. A pipe must not block the hook. */
export function textOf(file: string): string | null {
  let opened: number | undefined
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const { size } = fstatSync(opened)
    if (!fstatSync(opened).isFile() || size > mostBytes) return null
    const bytes = Buffer.alloc(size)
    return bytes.toString('utf8', 0, readSync(opened, bytes))
  } catch {
    return null
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

/** What a file is that is run by its path: a script of a shell with its text, another program, or not to be read. */
export function programIn(file: string): { readonly script: string } | 'program' | null {
  const start = startOf(file)
  if (start === null) return null
  const [, interpreter] = /^#!\s*(.+)/.exec(start.split('\n', 1)[0] ?? '') ?? []
  if (interpreter === undefined && start.includes('\0')) return 'program'
  const names = (interpreter ?? 'sh').split(/\s+/).map((each) => each.split('/').at(-1) ?? '')
  if (!names.some((name) => shells.has(name))) return 'program'
  const script = textOf(file)
  return script === null ? null : { script }
}

function startOf(file: string): string | null {
  let opened: number | undefined
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!fstatSync(opened).isFile()) return null
    const bytes = Buffer.alloc(512)
    return bytes.toString('latin1', 0, readSync(opened, bytes))
  } catch {
    return null
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

/** The scripts of the nearest package.json at or above a folder; null without one that can be read. */
export function packageScripts(
  folder: string,
): { readonly folder: string; readonly scripts: Readonly<Record<string, unknown>> } | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const text = textOf(join(at, 'package.json'))
    if (text !== null) {
      try {
        const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, unknown> }
        return { folder: at, scripts }
      } catch {
        return null
      }
    }
    if (dirname(at) === at) return null
  }
}
