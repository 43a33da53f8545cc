/** The parts of a command line that need no state: texts in words, and which programs are read in which way. */
import type { SyntaxNode } from 'unbash'
import { known, type Word } from './shell-words.ts'

/** Why a command line can't be resolved. */
export type Unresolved =
  | 'syntax'
  | 'size'
  | 'command-name'
  | 'command-line'
  | 'input'
  | 'code'
  | 'script'
  | 'variable'
  | 'redirection'
  | 'alias'

/** What is known of a line so far, for the parts that look into one program. */
export interface Reader {
  readonly unresolved: Set<Unresolved>
  /** The folders that the line may be in by now; null after a change to one that isn't known. */
  places: readonly string[] | null
  /** Does the work in a folder, and returns from it. */
  within(folder: Word | null, work: () => void): void
  isChanged: boolean
  /** A command line. */
  source(text: string, depth: number): void
  /** A word that is one. */
  line(word: Word, depth: number): void
  /** The words of a program that may be some. */
  lines(program: string, rest: readonly Word[], depth: number): void
  run(words: readonly Word[], depth: number, input: Input): void
  wrapped(own: number, program: string, rest: readonly Word[], depth: number, input: Input): void
  addLoose(words: Word[]): void
  /** A word that may name a file that is written. */
  name(word: Word): void
}

/** What comes to a command's standard input: nothing of the line, a text, or what isn't known. */
export type Input = null | string | undefined

/** Scripts that a command of a package manager runs of itself, where it isn't named like them. */
export const lifecycles: Readonly<Record<string, readonly string[]>> = {
  ...{
    t: ['test'],
    tst: ['test'],
    i: ['install', 'prepare'],
    install: ['install', 'prepare'],
    add: ['install', 'prepare'],
  },
  ...{ ci: ['install', 'prepare'], it: ['install', 'prepare', 'test'], restart: ['stop', 'restart', 'start'] },
  ...{ pack: ['prepack', 'prepare', 'pack'], rebuild: ['install'], up: ['install'], update: ['install'] },
}

/** Their words are often computed, and are seldom commands. */
export const mayComputeWords: ReadonlySet<string> = new Set([
  ...['env', 'tar', 'bsdtar', 'docker', 'man', 'npx', 'pnpx', 'bunx', 'zip', 'npm', 'pnpm', 'yarn', 'bun', 'git'],
  ...['mapfile', 'readarray', 'complete', 'compgen', 'bind', 'gdb', 'lldb'],
])

/** The texts in a word that may be command lines: the word itself, and what follows `-o` or `--option=`. */
export function linesIn(text: string): readonly string[] {
  if (!/[\s;&|`$(]/.test(text)) return []
  const values = [...text.matchAll(/=/g)].map(({ index }) => text.slice(index + 1))
  return [...(text.startsWith('-') ? [text.slice(2)] : [text]), ...values.slice(0, 4)]
}

export const splitAt = (text: string, at: number): [string, string?] =>
  at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]

/** `wrangler@3`, `@scope/name@1` and `twine==5` name a package with its version; Windows has `git.exe`. */
export const programOf = (text: string): string =>
  (text.split('/').at(-1) as string).replace(/(.)(@|==).*$/s, '$1').replace(/(.)\.exe$/i, '$1') || text

/** Each piece of a word that could be a word of a command. */
export const tokens = (word: Word): readonly Word[] =>
  word.text === null || /^[\w./@-]+(==[\w.]+)?$/.test(word.text)
    ? [word]
    : word.text.split(/[^\w./@-]+/).flatMap((each) => (each === '' ? [] : [known(each)]))

/** The script behind `-c`: more options may come first, some with a value. */
export function scriptBehind(rest: readonly Word[]): Word | undefined {
  for (let at = 0; at < rest.length; at++) {
    const { text } = rest[at] as Word
    if (text === '-' || text === '--') return rest[at + 1]
    if (text === null || !/^[-+]/.test(text)) return rest[at]
    if (/^[-+]\w*[oO]$/.test(text) || /^--(rcfile|init-file)$/.test(text)) at++
  }
  return undefined
}

/** `IFS= read line` changes how this one line is split. */
export const isOwnSeparator = (node: SyntaxNode, child: SyntaxNode): boolean =>
  child.type === 'Assignment' && child.name === 'IFS' && node.type === 'Command' && node.name?.value === 'read'

/** A word of these programs isn't written to. */
export const readers: ReadonlySet<string> = new Set(
  'cat ls head tail less more grep rg wc stat file diff cmp du test [ cd pushd which type jq md5sum sha256sum readlink realpath basename dirname tree'.split(
    ' ',
  ),
)
/** `GIT_PAGER=cat`, `EDITOR=true` */
export const harmlessValues: ReadonlySet<string> = new Set(['cat', 'true', ':'])
export const packageManagers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

/** The commands of a list have the list's input; those in a word have another. */
export const inputFor = (node: SyntaxNode, input: Input): Input =>
  node.type === 'Command' || node.type === 'Word' ? null : input
