/**
 * Whether a command fits a pattern such as `git push` or `rm -r`: the program, then its subcommands in order, then options that must
 * be present anywhere. A word that isn't known fits everything it could be.
 */
import { valueOptions } from './shell-programs.ts'
import type { Word } from './shell-words.ts'

const isOption = (text: string): boolean => /^-./.test(text)

/** `*` stands for any characters. */
const wordFits = (pattern: string, text: string): boolean =>
  pattern.includes('*')
    ? new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(text)
    : pattern === text

/** `-r` is also in `-rf`; `--force` is also in `--force=…`, and in `--forc`, since most programs take the start of a name. */
function optionFits(pattern: string, text: string): boolean {
  if (!isOption(text)) return false
  const name = text.split('=', 1)[0] as string
  if (wordFits(pattern, text) || wordFits(pattern, name)) return true
  if (name.length > 3 && name.startsWith('--') && pattern.startsWith(name)) return true
  return /^-[^-]$/.test(pattern) && /^-[^-]/.test(text) && text.slice(1).includes(pattern[1] as string)
}

/** `git commit -m "$(cat …)"`: one word behind this option is its value, whatever it says. */
const isMessage = (program: string, verb: Word | undefined, before: Word | undefined): boolean =>
  program === 'git' &&
  /^(commit|tag|merge)$/.test(verb?.text ?? '') &&
  /^(-[a-z]*m|--message)$/.test(before?.text ?? '')

export function matches(pattern: string, [program, ...rest]: readonly Word[]): boolean {
  const [name = '', ...wanted] = pattern.split(' ')
  if (program?.text == null || !wordFits(name, program.text)) return false
  const options = wanted.filter(isOption)
  const plain = wanted.filter((each) => !isOption(each))
  const isAny = ({ text, isMany }: Word, at: number) =>
    text === null && (isMany || !isMessage(name, rest[0], rest[at - 1]))
  if (!options.every((each) => rest.some((word, at) => isAny(word, at) || optionFits(each, word.text ?? ''))))
    return false
  return inOrder(plain, rest, valueOptions[name] ?? [])
}

/**
 * An option that isn't known may take the next word or not: either way may fit. All ways are followed together, so that a long line
 * takes no longer than its words: a hook that is too slow holds nothing.
 */
function inOrder(plain: readonly string[], words: readonly Word[], values: readonly string[]): boolean {
  const done = plain.length
  /** How many of `plain` were found, by whether the next word belongs to an option. */
  let [free, taken] = [new Set([0]), new Set<number>()]
  for (const { text, isMany } of words) {
    if (free.has(done)) return true
    if (free.size + taken.size === 0) return false
    if (text === null && isMany && free.size > 0) return true
    const [nextFree, nextTaken] = [new Set(taken), new Set<number>()]
    for (const found of free) {
      if (text === null) nextFree.add(found).add(found + 1)
      else if (!isOption(text)) {
        if (wordFits(plain[found] as string, text)) nextFree.add(found + 1)
      } else if (values.includes(text)) nextTaken.add(found)
      else {
        nextFree.add(found)
        if (!text.includes('=')) nextTaken.add(found)
      }
    }
    ;[free, taken] = [nextFree, nextTaken]
  }
  return free.has(done)
}
