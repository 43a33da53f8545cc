/** Every value of a decision with its place and its text. Nothing is left out and no two values have the same place. Pure. */
import type { Json } from './canonical.ts'
import { shown } from './shown.ts'

/** A member's name, or the index of an item. */
export type Step = string | number

/** A value without parts of its own: a scalar, or an object or a list without members. */
export interface Leaf {
  readonly steps: readonly Step[]
  readonly value: Json
}

/** In the order in which they were sent. */
export function leavesOf(value: Json, steps: readonly Step[] = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ steps, value }]
  const members: readonly (readonly [Step, Json])[] = Array.isArray(value)
    ? value.map((each, at) => [at, each])
    : Object.entries(value)
  return members.length === 0 ? [{ steps, value }] : members.flatMap(([step, each]) => leavesOf(each, [...steps, step]))
}

/** RFC 6901. */
export const pointerOf = (steps: readonly Step[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Of a pointer that names a value; an index stays text. */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const plainName = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*$/u

/** One text for one place: a name that could be read as something else is quoted. Items are counted from one, as people do. */
export const pathText = (steps: readonly Step[]): string =>
  steps
    .map((step, at) => {
      if (typeof step === 'number') return `[${step + 1}]`
      if (!plainName.test(step) || shown(step) !== step) return `[${quoted(step)}]`
      return at === 0 ? step : `.${step}`
    })
    .join('')

/** A text in quotes, with its own quotes and backslashes escaped, so that an escape cannot be imitated. */
const quoted = (text: string): string => `"${shown(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`
const quotedLines = (text: string): string =>
  `"${text
    .split('\n')
    .map((line) => quoted(line).slice(1, -1))
    .join('\n')}"`

/** Texts that would be read as another value, or of which a part would not be seen. What has no quotes is literal. */
const needsQuotes = (text: string): boolean =>
  /^(?:true|false|null|\{\}|\[\]|)$|^["\s]|\s$/.test(text) || text.split('\n').some((line) => shown(line) !== line)

/** From 10,000 on in groups of three digits: a zero more or less is seen. Years and short numbers stay as they are. */
export const grouped = (value: number): string =>
  Math.abs(value) < 10_000
    ? String(value)
    : String(value).replace(/\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','))

/** What is on the screen. A property test reads it back. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return needsQuotes(value) ? quotedLines(value) : value
  if (typeof value === 'number') return grouped(value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}'
  return String(value)
}
