/**
 * Files that a command puts somewhere, or takes away, without naming them: with a folder that they are in, or by the name that they
 * had before. `mv hooks .git/` names no file of `.git/hooks`.
 */
import { readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { atHome, globOf, pathFits } from './paths.ts'
import { known, unknown, type Word } from './shell-words.ts'

export interface Move {
  readonly program: string
  readonly rest: readonly Word[]
  /** The folders that it may run in. */
  readonly places: readonly string[] | null
  /** Whether the line may have changed what is in them. */
  readonly isChanged: boolean
}

export const moving: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rename', 'rm', 'rmdir'])

/** What is put or taken away, with everything in it; `isAll`: its names aren't known. */
export interface Moved {
  readonly word: Word
  readonly isAll: boolean
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

export const movedBy = (move: Move): readonly Moved[] =>
  (move.places ?? []).flatMap((place) => movedIn(move, place)).map((each) => ({ isAll: false, ...each }))

function movedIn({ program, rest, isChanged }: Move, place: string): { word: Word; isAll?: boolean }[] {
  const { plain, into, isRecursive, isWhole } = wordsOf(rest)
  const hasTarget = /^(cp|mv|ln|install)$/.test(program)
  const to =
    into ?? (!hasTarget ? undefined : plain.length > 1 ? plain.at(-1) : program === 'ln' ? known('.') : undefined)
  const sources = to === undefined || to === into || plain.length === 1 ? plain : plain.slice(0, -1)
  const taken = /^(mv|rename|rm|rmdir)$/.test(program) ? sources.flatMap((each) => at(place, each)) : []
  const found: { word: Word; isAll?: boolean }[] = taken.map((word) => ({ word }))
  if (!hasTarget || to?.text == null) return found
  const folder = resolve(place, to.text)
  const isCopied = program === 'cp' ? isRecursive : program !== 'install'
  if (isCopied && (isWhole || !isFolder(folder))) found.push({ word: known(folder) })
  for (const { text, shape } of sources) {
    const name = shape.replace(/\/+$/, '').split('/').at(-1) ?? ''
    if (!name.includes(unknown)) found.push({ word: known(resolve(folder, name)) })
    // `.*` is every file of that kind.
    else if (name.startsWith('.')) found.push({ word: { text: null, isMany: true, shape: `${folder}/${name}` } })
    // What is in the source comes into the folder itself: `x/.`, and with some programs `x/`.
    if (!isCopied || text === null || !(isWhole || /(^|\/)\.?$/.test(text))) continue
    const names = isChanged ? null : namesIn(resolve(place, text))
    if (names === null) found.push({ word: known(folder), isAll: true })
    else for (const each of names) found.push({ word: known(resolve(folder, each)) })
  }
  return found
}

const at = (place: string, { text }: Word): Word[] =>
  text === null || resolve(place, text) === place ? [] : [known(resolve(place, text))]

/** A folder with more counts as one whose names aren't known: looking at each would take longer than an agent waits. */
const mostNames = 500

function namesIn(folder: string): readonly string[] | null {
  try {
    const names = readdirSync(folder)
    return names.length > mostNames ? null : names
  } catch {
    return null
  }
}

function wordsOf(rest: readonly Word[]) {
  const plain: Word[] = []
  let into: Word | undefined
  let [isRecursive, isWhole] = [false, false]
  for (let place = 0; place < rest.length; place++) {
    const word = rest[place] as Word
    const { text } = word
    const [, joined] = /^(?:-[a-zA-Z]*t|--t[a-z-]*=)(.+)$/s.exec(text ?? '') ?? []
    if (text === null || !/^-./.test(text)) plain.push(word)
    else if (joined !== undefined) into = known(joined)
    else if (/^(-[a-zA-Z]*t|--t[a-z-]*)$/.test(text)) into = rest[++place]
    else if (/^-[mogS]$/.test(text)) place++
    isRecursive ||= /^(-[a-zA-Z]*[rRa]|--(rec|arch))/.test(text ?? '')
    isWhole ||= /^(-[a-zA-Z]*T|--no-target)/.test(text ?? '')
  }
  return { plain, into, isRecursive, isWhole }
}

/** Whether a pattern is for what is moved, or for something in it. */
export function moveFits(pattern: string, { word, isAll }: Moved, cwd: string, home = ''): boolean {
  const { text } = word
  if (pathFits(pattern, word, text === null ? [] : [text, `${text}/`], home)) return true
  if (text === null) return false
  const key = [pattern, cwd, home, isAll].join('\0')
  const folders = foldersBefore.get(key) ?? foldersOf(pattern, cwd, home, isAll).map(globOf)
  foldersBefore.set(key, folders)
  return folders.some((each) => each.test(text))
}

/** By pattern: a line may move a thousand files, and each is looked at with every pattern. */
const foldersBefore = new Map<string, readonly RegExp[]>()

/**
 * The folders that a pattern's files are in, as far as it names them. The home folder has files of every kind, and so has
 * the one that the line is in.
 */
function foldersOf(pattern: string, cwd: string, home: string, isAll: boolean): readonly string[] {
  const parts = atHome(pattern, home).split('/')
  const fixed = parts.findIndex((part, index) => index > 0 && part === '**')
  const most = fixed < 0 ? parts.length : fixed + 1
  return parts
    .slice(0, most)
    .map((_, index) => parts.slice(0, index).join('/'))
    .filter((each) => each !== '' && each !== '**')
    .filter(
      (each) => each.startsWith('**/') || !(isAbove(each, home) || isAbove(each, cwd)) || (isAll && each === home),
    )
}

const isAbove = (folder: string, path: string): boolean => `${path}/`.startsWith(`${folder}/`)
