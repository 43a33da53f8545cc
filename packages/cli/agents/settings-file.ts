/** Reads and replaces a settings file: as a whole, with a copy of what was there, and never through a door that somebody else opened. */
import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { hookFolder } from '../hook/places.ts'
import { UnusableSettingsError } from './json-settings.ts'

export interface SettingsFile {
  /** As the agent names it. */
  readonly name: string
  /** Behind symbolic links: they stay, and what they lead to is replaced. */
  readonly file: string
  /** Null if there is none. */
  readonly text: string | null
}

/** `within`: a link in this folder must not lead out of it. */
export function openSettings(name: string, within: string | null = null): SettingsFile {
  const linked = lstatSync(name, { throwIfNoEntry: false })
  if (!linked) {
    requireInside(name, nearestFolder(dirname(name)), within)
    return { name, file: name, text: null }
  }
  const target = statSync(name, { throwIfNoEntry: false })
  if (!target) throw new UnusableSettingsError("it's a symbolic link to a file that doesn't exist")
  if (!target.isFile()) throw new UnusableSettingsError("it isn't a file")
  const file = realpathSync(name)
  requireInside(name, file, within)
  if (target.uid !== process.getuid?.() && process.getuid?.() !== 0)
    throw new UnusableSettingsError('it belongs to another user')
  return { name, file, text: readFileSync(file, 'utf8') }
}

/** A cloned repository may hold a link to the person's own settings, or to any other file. */
function requireInside(name: string, file: string, within: string | null): void {
  if (within === null) return
  const way = relative(realpathSync(within), file)
  if (way.startsWith('..')) throw new UnusableSettingsError(`the link ${name} leads out of the project, to ${file}`)
}

function nearestFolder(folder: string): string {
  let at = folder
  while (!existsSync(at)) at = dirname(at)
  return realpathSync(at)
}

const digest = (text: string): string => hash('sha256', text)
const isSame = ({ file, text }: SettingsFile): boolean =>
  text === null ? !existsSync(file) : existsSync(file) && readFileSync(file, 'utf8') === text

/** What was written, and what was there before: disconnecting restores it if nobody changed the file meanwhile. */
interface Note {
  readonly wrote: string
  /** Null if there was no file. */
  readonly backup: string | null
}

const notesFile = (): string => join(hookFolder(), 'settings.json')

function notes(): Readonly<Record<string, Note>> {
  try {
    return JSON.parse(readFileSync(notesFile(), 'utf8'))
  } catch {
    return {}
  }
}

function note(file: string, value: Note | null): void {
  const { [file]: _, ...others } = notes()
  replace(notesFile(), `${JSON.stringify(value === null ? others : { ...others, [file]: value }, null, 2)}\n`, 0o600)
}

function replace(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o755 })
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`)
  try {
    writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
    chmodSync(draft, mode)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

const modeOf = (file: string): number => (existsSync(file) ? statSync(file).mode & 0o777 : 0o644)

/** Returns where the copy of the earlier text is; null if there was none. */
export function writeSettings(opened: SettingsFile, text: string): string | null {
  const { file, text: before } = opened
  if (!isSame(opened)) throw new UnusableSettingsError('somebody else changed it meanwhile')
  const known = notes()[file]
  // A second change of ours keeps the copy of what was there before the first.
  let backup = known && before !== null && known.wrote === digest(before) ? known.backup : null
  if (before !== null && !(known && known.wrote === digest(before))) {
    backup = join(hookFolder(), 'backups', `${basename(file)}.${digest(file + before).slice(0, 12)}`)
    replace(backup, before, 0o600)
  }
  replace(file, text, modeOf(file))
  note(file, { wrote: digest(text), backup })
  return backup
}

/** What was there before, byte for byte, if the file is as we wrote it; otherwise `left`, what is left without ours. */
export function earlierText({ file, text }: SettingsFile, left: string | null): string | null {
  const known = notes()[file]
  if (!known || text === null || known.wrote !== digest(text)) return left
  if (known.backup === null) return null
  try {
    return readFileSync(known.backup, 'utf8')
  } catch {
    return left
  }
}

/** Null removes the file. */
export function restoreSettings(opened: SettingsFile, text: string | null): void {
  if (!isSame(opened)) throw new UnusableSettingsError('somebody else changed it meanwhile')
  if (text === null) rmSync(opened.file)
  else replace(opened.file, text, modeOf(opened.file))
  note(opened.file, null)
}
