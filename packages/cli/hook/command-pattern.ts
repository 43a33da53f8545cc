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

/** `-r` is also in `-rf`; `--force` is also in `--force=…`. */
function optionFits(pattern: string, text: string): boolean {
  if (!isOption(text)) return false
  if (wordFits(pattern, text) || wordFits(pattern, text.split('=', 1)[0] as string)) return true
  return /^-[^-]$/.test(pattern) && /^-[^-]/.test(text) && text.slice(1).includes(pattern[1] as string)
}

export function matches(pattern: string, [program, ...rest]: readonly Word[]): boolean {
  const [name = '', ...wanted] = pattern.split(' ')
  if (program?.text == null || !wordFits(name, program.text)) return false
  const options = wanted.filter(isOption)
  const plain = wanted.filter((each) => !isOption(each))
  if (!options.every((each) => rest.some(({ text }) => text === null || optionFits(each, text)))) return false
  return inOrder(plain, rest, valueOptions[name] ?? [])
}

/** An option that isn't known may take the next word or not: either way may fit. */
function inOrder(plain: readonly string[], words: readonly Word[], values: readonly string[]): boolean {
  const [wanted, ...others] = plain
  if (wanted === undefined) return true
  const [word, ...rest] = words
  if (word === undefined) return false
  const { text, isMany } = word
  if (text === null) return isMany || inOrder(others, rest, values) || inOrder(plain, rest, values)
  if (!isOption(text)) return wordFits(wanted, text) && inOrder(others, rest, values)
  if (values.includes(text)) return inOrder(plain, rest.slice(1), values)
  return inOrder(plain, rest, values) || (!text.includes('=') && inOrder(plain, rest.slice(1), values))
}
