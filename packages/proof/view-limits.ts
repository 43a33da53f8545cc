/** What the policies that ask read in a decision, and their limits in words. Pure. */
import type { Json } from './canonical.ts'
import { type ViewLanguage, viewWords } from './decision-view-words.ts'
import { textOf } from './view-values.ts'

interface Condition {
  readonly pointer: string
  readonly op: 'eq' | 'in' | 'gt' | 'lt' | 'exists'
  readonly value?: Json | undefined
}

/** A policy that asks, as an approver has to know it. */
export interface ViewRule {
  readonly conditions: readonly Condition[]
  /** Of its guard; null without one. */
  readonly riskThreshold: number | null
}

export interface Limit {
  readonly pointer: string
  readonly text: string
  /** The limit and the number that is compared with it, for a scale. */
  readonly scale: { readonly limit: number; readonly value: number } | null
}

/** A threshold of risk is a limit like any other. */
const conditionsOf = ({ conditions, riskThreshold }: ViewRule): readonly Condition[] =>
  riskThreshold === null ? conditions : [...conditions, { pointer: '/riskScore', op: 'gt', value: riskThreshold }]

/** In the order of the rules and their conditions. */
export const pointersRead = (rules: readonly ViewRule[]): readonly string[] => [
  ...new Set(rules.flatMap(conditionsOf).map(({ pointer }) => pointer)),
]

/** Whether a value is the one that a pointer names, or a part of it. */
export const isAt = (pointer: string, read: string): boolean => pointer === read || pointer.startsWith(`${read}/`)

const decimals = (value: number): number => /^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0

/** `0.42 - 0.3` is 0.12 on paper. */
const difference = (one: number, other: number): number =>
  Number((one - other).toFixed(Math.min(20, Math.max(decimals(one), decimals(other)))))

function inWords({ op, value }: Condition, found: Json | undefined, language: ViewLanguage): string {
  const words = viewWords[language]
  if (op === 'exists') return value === false ? words.missing : words.exists
  const each = (part: Json): string => textOf(part)
  const limit = op === 'in' ? (value as readonly Json[]).map(each).join(', ') : each(value as Json)
  const said = words[op].replace('{limit}', () => limit)
  if (op !== 'gt' && op !== 'lt') return said
  if (typeof found !== 'number') return `${said} · ${words.otherKind}`
  const by = op === 'gt' ? difference(found, value as number) : difference(value as number, found)
  return by > 0 ? `${said} · ${words[op === 'gt' ? 'over' : 'under'].replace('{by}', textOf(by))}` : said
}

/** What the rules read a value for. `found` is undefined for a value that was not sent. */
export function limitsOf(
  rules: readonly ViewRule[],
  pointer: string,
  found: Json | undefined,
  language: ViewLanguage,
): readonly Limit[] {
  return rules
    .flatMap(conditionsOf)
    .filter((condition) => isAt(pointer, condition.pointer))
    .map((condition) => {
      const { op, value: limit } = condition
      const isCompared = (op === 'gt' || op === 'lt') && typeof limit === 'number' && typeof found === 'number'
      return {
        pointer,
        text: inWords(condition, found, language),
        scale: isCompared ? { limit, value: found } : null,
      }
    })
}
