/** Where a line is, and the words by which it names files: also from other folders, and behind links that it makes itself. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Unresolved } from './shell-lines.ts'
import { either, moved, type Places } from './shell-places.ts'
import { known, unknown, type Variables, type Word } from './shell-words.ts'

/** Words that are looked at, each as often as it is: a line that takes longer than the agent waits would hold nothing. */
const mostWork = 60_000

export class TooLargeError extends Error {}

export class LineNames {
  readonly words: Word[] = []
  readonly unresolved = new Set<Unresolved>()
  readonly variables: Variables
  readonly start: string
  places: Places
  /** Whether a function looked for a file in the folder that it was defined in. */
  isBound = false
  work = 0
  /** Links that the line makes, by their paths. */
  readonly links = new Map<string, string>()

  constructor(cwd: string, env: Variables) {
    this.start = cwd
    this.places = [cwd]
    // Only what the line can't give another value without being asked about.
    this.variables = { HOME: env.HOME }
  }

  spend(work: number): void {
    this.work += work
    if (this.work > mostWork) throw new TooLargeError()
  }

  name(word: Word): void {
    const { text } = word
    this.spend(20)
    this.words.push(word)
    if (text === null) return
    this.linked(text)
    for (const each of new Set([text, text.slice(text.indexOf('=') + 1)])) {
      for (const place of this.places ?? []) if (place !== this.start) this.words.push(known(resolve(place, each)))
      if (this.places === null) this.words.push({ text: null, isMany: false, shape: `${unknown}/${each}` })
    }
  }

  linked(text: string): void {
    if (this.links.size === 0) return
    for (const path of (this.places ?? [this.start]).map((place) => resolve(place, text))) {
      for (const [link, to] of this.links) {
        if (path === link || path.startsWith(`${link}/`)) this.words.push(known(`${to}${path.slice(link.length)}`))
      }
    }
  }

  /** `ln -s ~ x`, after which `x/.bashrc` is another file. */
  link(rest: readonly Word[]): void {
    const [to, at] = rest.filter(({ text }) => text === null || !/^-./.test(text))
    if (!to || !at) return
    const [target, name] = [to.text, at.text]
    if (target === null || name === null) {
      this.places = null
      return
    }
    for (const place of this.places ?? []) {
      const folder = resolve(place, name)
      this.links.set(folder, resolve(dirname(folder), target))
      this.links.set(join(folder, basename(target)), resolve(folder, target))
    }
  }

  changeFolder(program: string, rest: readonly Word[]): void {
    const to = rest.find(({ text }) => text === null || !/^-./.test(text))
    const text = to === undefined ? (program === 'cd' ? this.variables.HOME : null) : to.text
    // A function that was defined before may run there.
    if (this.isBound) this.unresolved.add('script')
    const before = this.places
    if (text === null || text === undefined || text === '-' || (program !== 'cd' && /^[-+]/.test(text)))
      this.places = null
    else this.places = moved(before, text)
    // Into a folder that isn't there, the shell doesn't go.
    if (this.places?.some((place) => !existsSync(place))) this.places = either(this.places, before)
  }

  within(folder: Word | null, work: () => void): void {
    const before = this.places
    const text = folder === null ? null : folder.text
    this.places = text === null ? null : text === '.' ? before : text.startsWith('/') ? [text] : moved(before, text)
    work()
    this.places = before
  }
}
