/** One decision as people read it: its name, its facts, and which words of its sentence they stand behind. Pure. */
import { shown } from '@countersign/proof/shown.ts'
import type { Decision, GivenApproval, WaitingRule } from '@countersign/sdk'
import type { Language } from '../../app/i18n.ts'
import { numberText } from '../clock.ts'

interface Named {
  readonly actor: { readonly name?: string; readonly id: string; readonly type: string }
}
interface Acting {
  readonly action: { readonly type: string; readonly description?: string | null }
}

/** In its lines. A character that hides or moves its neighbors is written as an escape. */
export const visible = (text: string): string => text.split(/\r?\n/).map(shown).join('\n')

export const actorName = ({ actor }: Named): string => visible(actor.name || actor.id || actor.type)
export const whatOf = ({ action }: Acting): string => visible(action.description || action.type)
export const nameOf = ({ approver, identity }: GivenApproval): string =>
  visible(approver.name || approver.id || identity.by)

export const dpuIdOf = ({ evidence }: Decision): string => evidence.id.replace(/^[a-z]+_/, 'dpu_')
export const asksForPasskey = ({ waiting }: Decision): boolean =>
  waiting?.rules.some(({ identity }) => identity === 'passkey') ?? false
export const asksForTwo = ({ waiting }: Decision): boolean => waiting?.reasons.includes('dualApproval') ?? false

export interface Fact {
  readonly key: string
  /** Null: a word of the catalog stands for it. */
  readonly name: string | null
  readonly value: string
  readonly note?: string
}

const longest = 200

/** A value of one line; null for what has parts of its own. */
export function shortValue(value: unknown, language: Language): string | null {
  if (typeof value === 'number') return numberText(value, language)
  if (typeof value === 'string') return visible(value.length <= longest ? value : `${value.slice(0, longest - 1)}…`)
  if (typeof value === 'boolean' || value === null) return String(value)
  if (!Array.isArray(value) || value.length > 5) return null
  const parts = value.map((each) => (typeof each === 'object' && each !== null ? null : shortValue(each, language)))
  return parts.includes(null) ? null : parts.join(', ')
}

/** The members of the input that the conditions of a policy read. */
export const readNames = (rules: readonly WaitingRule[]): readonly string[] =>
  rules
    .flatMap(({ pointers }) => pointers)
    .flatMap((pointer) => /^\/action\/input\/([^/]+)$/.exec(pointer)?.[1] ?? [])
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))

const mostFacts = 6

/** The values that a policy reads come first, then the others in the order in which they were sent. */
export function factsOf(decision: Decision, language: Language): readonly Fact[] {
  const input = (decision.action.input ?? {}) as Readonly<Record<string, unknown>>
  const names = [...new Set([...readNames(decision.waiting?.rules ?? []), ...Object.keys(input)])]
  const data = names.flatMap((name): Fact[] => {
    const value = Object.hasOwn(input, name) ? shortValue(input[name], language) : null
    return value === null ? [] : [{ key: `input ${name}`, name: visible(name), value }]
  })
  const { reason, riskScore } = decision
  return [
    ...data.slice(0, mostFacts),
    ...(reason ? [{ key: 'reason', name: null, value: visible(reason) }] : []),
    ...(riskScore === null ? [] : [{ key: 'risk', name: null, value: numberText(riskScore, language) }]),
  ]
}

export type Piece = string | { readonly fact: string; readonly number: number }

/** Marks the facts that a text names. Each fact is marked once, at its first place. */
export function piecesOf(text: string, facts: readonly Fact[]): readonly Piece[] {
  const places = facts
    .map(({ value }, at) => ({ at: text.indexOf(value), value, number: at + 1 }))
    .filter(({ at, value }) => at >= 0 && value.length > 1)
    .toSorted((one, other) => one.at - other.at || other.value.length - one.value.length)
  const pieces: Piece[] = []
  let end = 0
  for (const { at, value, number } of places) {
    if (at < end) continue
    if (at > end) pieces.push(text.slice(end, at))
    pieces.push({ fact: value, number })
    end = at + value.length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return pieces
}
