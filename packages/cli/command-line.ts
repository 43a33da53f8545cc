/** Parses the command line. Errors suggest the most similar command or option. */
import { parseArgs } from 'node:util'
import type { Speech } from './words.ts'

/** Wrong usage or an unreadable input: exit code 2. */
export class UsageError extends Error {
  readonly command: string
  constructor(message: string, command = 'countersign') {
    super(message)
    this.command = command
  }
}

export type OptionKinds = Readonly<Record<string, 'string' | 'boolean'>>
export type Typed<Kinds extends OptionKinds> = {
  readonly [Name in keyof Kinds]?: Kinds[Name] extends 'string' ? string : boolean
}

/** Options of every command. */
const common = { help: 'boolean', lang: 'string', json: 'boolean' } as const

export function readOptions<Kinds extends OptionKinds>(
  args: readonly string[],
  own: Kinds,
  { say }: Speech,
  command: string,
): { options: Typed<Kinds & typeof common>; words: readonly string[] } {
  const kinds = { ...own, ...common }
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type: type as 'string' }])),
      help: { type: 'boolean', short: 'h' },
    },
  })
  const options: Record<string, string | boolean> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : undefined
    if (kind === undefined) {
      const near = nearest(name, Object.keys(kinds))
      const hint = near ? ` ${say('didYouMean', { name: `--${near}` })}` : ''
      throw new UsageError(`${say('unknownOption', { name: rawName })}${hint}`, command)
    }
    // A value that looks like an option means that the value is missing; "-" alone is the standard input.
    if (kind === 'string' && (value === undefined || (!token.inlineValue && /^-./.test(value)))) {
      throw new UsageError(say('optionNeedsValue', { name: rawName }), command)
    }
    if (kind === 'boolean' && value !== undefined) {
      throw new UsageError(say('optionTakesNone', { name: rawName }), command)
    }
    options[name] = value ?? true
  }
  return { options: options as Typed<Kinds & typeof common>, words }
}

/** The candidate with an edit distance of at most two, or with the same beginning. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, slips: candidate.startsWith(typed) ? 1 : distance(typed, candidate) }))
    .sort((one, other) => one.slips - other.slips)
  return ranked.find(({ candidate, slips }) => slips <= Math.min(2, candidate.length - 1))?.candidate
}

/** Edit distance: insertion, deletion, replacement or swap of neighbors counts one. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    rows.push([row])
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const replaced = at(row - 1, column - 1) + (same ? 0 : 1)
      const ways = [at(row - 1, column) + 1, at(row, column - 1) + 1, replaced]
      if (swapped) ways.push(at(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...ways))
    }
  }
  return at(one.length, other.length)
}
