/** What a decision can be found by, from its current row: for the index, and for comparing what the index found. Pure. */
import { isAmountName } from '@countersign/proof/view-labels.ts'
import { keyOfType } from '../action-types/api.ts'
import { factToken, hashed, type Run, runsOf, tokensOfRun } from './tokens.ts'

export interface SearchableRow {
  readonly decision_id: string
  readonly status: string
  readonly actor: { readonly id?: string; readonly name?: string }
  readonly action: { readonly type: string; readonly description?: string; readonly input?: unknown }
  readonly reason: string | null
  readonly tags: readonly string[]
  readonly approvals: readonly {
    readonly approver: { readonly id?: string; readonly name?: string }
    readonly identity_by: string
    readonly on_behalf_of: string | null
    readonly reason: string | null
    readonly result: string
    readonly identity_level: string
  }[]
  /** Ids of those that matched, sealed or waiting. */
  readonly policies: readonly string[]
}

/** Of one decision. What goes beyond is not indexed: names, amounts and facts come first, long texts last. */
const maxTokens = 72
const maxLeaves = 40
const maxDepth = 5
const maxText = 600

interface Leaf {
  readonly steps: readonly (string | number)[]
  readonly value: string | number
}

function leavesOf(value: unknown, steps: readonly (string | number)[] = [], found: Leaf[] = []): Leaf[] {
  if (found.length >= maxLeaves || steps.length > maxDepth) return found
  if (typeof value === 'string' || typeof value === 'number') found.push({ steps, value })
  else if (Array.isArray(value)) for (const [at, each] of value.entries()) leavesOf(each, [...steps, at], found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) leavesOf(each, [...steps, name], found)
  return found
}

const inputOf = ({ action }: SearchableRow): Leaf[] => leavesOf(action.input ?? null)

/** In the order of their worth. */
function textsOf(row: SearchableRow): string[] {
  const { actor, action, approvals, decision_id: name, reason, tags } = row
  return [
    actor.name ?? '',
    ...approvals.map(({ approver }) => approver.name ?? ''),
    ...inputOf(row).map(({ value }) => (typeof value === 'number' ? String(value) : value.slice(0, maxText))),
    action.type,
    name.startsWith('dec_') ? '' : name,
    action.description?.slice(0, maxText) ?? '',
    tags.join(' '),
    reason?.slice(0, maxText) ?? '',
    ...approvals.map((each) => each.reason?.slice(0, maxText) ?? ''),
  ].filter((text) => text !== '')
}

function factsOf({ actor, action, approvals, policies, status, tags }: SearchableRow): string[] {
  const people = approvals.flatMap(({ approver, identity_by, on_behalf_of }) => [
    approver.id,
    identity_by,
    on_behalf_of,
  ])
  return [
    ...(status === 'sealed' || status === 'rejected' ? [factToken('state', status)] : []),
    ...[...new Set([actor.id, ...people])].filter((id) => !!id).map((id) => factToken('by', id as string)),
    ...policies.map((id) => factToken('policy', id)),
    factToken('type', keyOfType(action.type)),
    ...tags.map((tag) => factToken('tag', tag)),
  ]
}

/** A number of a place that is named like an amount, or the largest with a currency in the description. */
export function amountOf(row: SearchableRow): number | null {
  const named = inputOf(row)
    .filter(({ steps }) => isAmountName(['action', 'input', ...steps]))
    .map(({ value }) => (typeof value === 'number' ? value : Number(value.replaceAll(/[,\s원₩$]/g, '') || Number.NaN)))
    .filter(Number.isFinite)
  if (named.length > 0) return Math.max(...named)
  const said = runsOf(
    [
      ...(row.action.description ?? '').slice(0, maxText).matchAll(/[$₩€]\s?[\d,.]+|[\d,.]+\s?[만억천백]*\s?(?=원)/g),
    ].join(' '),
  ).flatMap((run) => (run.kind === 'number' ? [Number(run.values[0])] : []))
  return said.length > 0 ? Math.max(...said) : null
}

export interface Words {
  readonly tokens: readonly number[]
  readonly amount: number | null
}

export function wordsOf(centerId: number, row: SearchableRow): Words {
  const tokens = new Set(factsOf(row))
  for (const text of textsOf(row)) {
    for (const run of runsOf(text)) {
      for (const token of tokensOfRun(run)) {
        if (tokens.size >= maxTokens) break
        tokens.add(token)
      }
    }
  }
  return { tokens: [...tokens].map((token) => hashed(centerId, token)), amount: amountOf(row) }
}

/** The text of a decision, to compare with. */
export interface Text {
  readonly runs: readonly Run[]
  readonly paired: string
  readonly words: readonly string[]
  readonly numbers: ReadonlySet<string>
  readonly facts: ReadonlySet<string>
}

export function textOf(row: SearchableRow): Text {
  const runs = textsOf(row).flatMap(runsOf)
  return {
    runs,
    paired: runs.flatMap((run) => (run.kind === 'paired' ? [run.text] : [])).join(' '),
    words: runs.flatMap((run) => (run.kind === 'word' ? [run.text] : [])),
    numbers: new Set(runs.flatMap((run) => (run.kind === 'number' ? run.values : []))),
    facts: new Set(factsOf(row)),
  }
}
