/** Policy matching over the scopes global, country, region and center. All that match apply. Pure. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { typedId } from '../lib/ids.ts'
import type { CenterProfile } from '../sealing/item.ts'
import { type FactValues, holds } from './conditions.ts'
import type { EventRow, PolicyRow } from './rows.ts'

/** The properties that a policy matches. A list for a property that a decision lacks does not match. */
export interface PolicyFacts {
  readonly eventType: string | null
  readonly actionType: string | null
  readonly actorType: string | null
  /** What `when` reads. */
  readonly values: FactValues
}

type FactSource = Pick<EventRow, 'type' | 'action' | 'actor' | 'ai_context' | 'tags' | 'risk_score'>

export const factsOfEvent = ({ type, action, actor, ai_context, tags, risk_score }: FactSource): PolicyFacts => ({
  eventType: type,
  actionType: action.type,
  actorType: actor.type,
  values: {
    action: { ...(action.input !== undefined && { input: action.input }) },
    // Tags that were left out are stored as an empty list.
    ...(tags.length > 0 && { tags }),
    aiContext: { ...(ai_context?.confidence !== undefined && { confidence: ai_context.confidence }) },
    ...(risk_score !== null && { riskScore: risk_score }),
  },
})

export interface Applied {
  readonly id: string
  readonly version: number
  readonly digest: string
  readonly body: PolicyBody
}

export function matchPolicies(
  rows: readonly PolicyRow[],
  facts: PolicyFacts,
  center: CenterProfile,
): readonly Applied[] {
  const applied: Applied[] = []
  for (const row of rows) {
    const body = bodyOf(row)
    if (body.active === false || !reaches(body, center) || !matches(body, facts, center)) continue
    applied.push(appliedOf(row))
  }
  return applied
}

export const appliedOf = (row: PolicyRow): Applied => ({
  id: typedId('policy', row.id),
  version: row.version,
  digest: row.digest,
  body: bodyOf(row),
})

/** Computed once for all decisions of a batch, which share its rows. */
const bodies = new WeakMap<PolicyRow, PolicyBody>()
function bodyOf(row: PolicyRow): PolicyBody {
  let body = bodies.get(row)
  if (!body) {
    body = JSON.parse(row.policy) as PolicyBody
    bodies.set(row, body)
  }
  return body
}

/** The form in which a seal holds them. */
export const named = (applied: readonly Applied[]) =>
  applied.map(({ id, version, digest }) => ({ id, version, digest }))

/** Whether a center is in the scope of a policy. */
export function reaches({ scope, country, region }: PolicyBody, center: CenterProfile): boolean {
  if (scope === 'country') return country === center.country
  if (scope === 'region') return region === center.region && (country === undefined || country === center.country)
  return true
}

function matches({ match }: PolicyBody, facts: PolicyFacts, { vertical }: CenterProfile): boolean {
  const among = (values: readonly string[] | undefined, value: string | null) =>
    values === undefined || (value !== null && values.includes(value))
  return (
    among(match.eventTypes, facts.eventType) &&
    among(match.verticals, vertical) &&
    among(match.actorTypes, facts.actorType) &&
    (match.actionTypes === undefined || (facts.actionType !== null && fitsSome(match.actionTypes, facts.actionType))) &&
    (match.when ?? []).every((condition) => holds(condition, facts.values))
  )
}

/** A longer name matches every pattern, so that length cannot evade a policy and a batch does not wait for the search. */
const longestCompared = 255

const fitsSome = (globs: readonly string[], text: string): boolean =>
  text.length > longestCompared || globs.some((glob) => fits(glob, text))

/** `*` matches any characters. Not a regular expression: a pattern with many stars must not take exponential time. */
export function fits(glob: string, text: string): boolean {
  const [first = '', ...rest] = glob.split('*')
  if (rest.length === 0) return glob === text
  if (!text.startsWith(first)) return false
  const last = rest.pop() as string
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
