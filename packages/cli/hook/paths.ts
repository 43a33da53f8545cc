/** Which files a word names, and whether a pattern of a rule fits them. */
import { lstatSync, readlinkSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { unknown, type Word } from './shell-words.ts'

/** No system takes a longer path. */
const mostLength = 4096
/** Each part is looked up once: a path with more would take longer than an agent waits. */
const mostParts = 256
const mostLinks = 40

const isLongPath = (path: string): boolean => path.split('/').length > mostParts

/** The files of one call. What it finds in a folder is looked up once. */
export class Paths {
  readonly #cwd: string
  readonly #home: string
  readonly #found = new Map<string, { readonly path: string; readonly isThere: boolean }>()

  constructor(cwd: string, home = '') {
    this.#cwd = cwd
    this.#home = home
  }

  /**
   * The files that a word of a command may name: as it is, behind `--option=`, behind links, and as a folder. Null if it has too many
   * parts to be looked up, so that it isn't taken for a word that names nothing.
   */
  ofWord({ text }: Word): readonly string[] | null {
    if (text === null || text === '') return []
    // `--option=file`, `src=file,dst=/x`, `file:/x`
    const texts = new Set([
      text,
      text.slice(text.indexOf('=') + 1),
      ...text.split(/[=,:]/).filter((each) => each.includes('/')),
    ])
    return this.#all([...texts].map((each) => this.#absolute(each)).filter((each) => resolve(each).length < mostLength))
  }

  /** The files that an agent's own tool writes: agents trim and normalise such a path. Null as above, and for one that is too long. */
  ofTool(text: string): readonly string[] | null {
    const texts = [text, text.trim(), text.normalize('NFC'), text.trim().normalize('NFC')]
    const paths = [...new Set(texts)].map((each) => this.#absolute(each))
    return paths.some((each) => resolve(each).length >= mostLength) ? null : this.#all(paths)
  }

  #all(paths: readonly string[]): readonly string[] | null {
    const all = new Set<string>()
    for (const each of paths) {
      const path = resolve(each)
      if (isLongPath(path) || (each.includes('..') && isLongPath(each))) return null
      // Behind a link, `..` is the folder above what the link leads to.
      for (const one of [path, this.real(path), ...(each.includes('..') ? [this.real(each)] : [])]) {
        all.add(one).add(`${one}/`)
      }
    }
    return [...all]
  }

  #absolute(text: string): string {
    const inside = text.replace(/^\/proc\/(self|thread-self)\/cwd(?=\/|$)/, () => this.#cwd)
    const path = inside.startsWith('~/') ? `${this.#home}${inside.slice(1)}` : inside
    return path.startsWith('/') ? path : `${this.#cwd}/${path}`
  }

  /** The path with the links of what exists followed, also those to a file that isn't there yet. */
  real(path: string): string {
    return this.#look(path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'), 0).path
  }

  /** What is there, for a path that is `real` already as far as its folder goes. */
  #look(path: string, links: number): { readonly path: string; readonly isThere: boolean } {
    const before = this.#found.get(path)
    if (before) return before
    const folder = dirname(path)
    if (folder === path) return { path, isThere: true }
    const above = this.#look(folder, links)
    const name = basename(path)
    const found =
      name === '.'
        ? above
        : name === '..'
          ? { path: dirname(above.path), isThere: above.isThere }
          : this.#entry(`${above.path === '/' ? '' : above.path}/${name}`, above.isThere, links)
    this.#found.set(path, found)
    return found
  }

  #entry(path: string, isThere: boolean, links: number): { readonly path: string; readonly isThere: boolean } {
    try {
      const found = isThere ? lstatSync(path, { throwIfNoEntry: false }) : undefined
      if (!found?.isSymbolicLink() || links >= mostLinks) return { path, isThere: found !== undefined }
      const to = resolve(dirname(path), readlinkSync(path))
      return isLongPath(to) ? { path, isThere: true } : this.#look(to, links + 1)
    } catch {
      return { path, isThere: false }
    }
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
export const atHome = (pattern: string, home = ''): string => pattern.replace(/^~(?=\/)/, () => home)

/** Case doesn't count, because some file systems ignore it. A word that isn't known fits by the parts of it that are. */
export function pathFits(pattern: string, word: Word, paths: readonly string[], home = ''): boolean {
  const absolute = atHome(pattern, home)
  if (word.text !== null) return paths.some((each) => globOf(absolute).test(each))
  if (!/[\w.]{3}/.test(word.shape.replaceAll(unknown, ''))) return false
  const example = absolute.replaceAll('**', 'x').replaceAll('*', '')
  // Several in a row are one: each by itself would double the time.
  const parts = word.shape.replaceAll(/\0+/g, unknown).split(unknown)
  const shape = new RegExp(`^${parts.map(escaped).join('.*')}$`, 'is')
  return shape.test(example) || shape.test(example.replace(/^x\//, ''))
}

const globs = new Map<string, RegExp>()
export function globOf(pattern: string): RegExp {
  const before = globs.get(pattern)
  if (before) return before
  const source = pattern
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => (part === '**/' ? '(?:.*/)?' : part === '**' ? '.*' : part === '*' ? '[^/]*' : escaped(part)))
    .join('')
  const made = new RegExp(`^${source}$`, 'is')
  globs.set(pattern, made)
  return made
}
