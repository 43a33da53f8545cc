/** Policy matching over the scopes global, country, region and center. All that match apply. Pure. */

import { hash } from 'node:crypto'
import type { PolicyBody, PolicyCondition } from '@countersign/contract/policy-body.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { fits } from '@countersign/proof/glob.ts'
import { valueAt } from '@countersign/proof/json-pointer.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import { typedId } from '../lib/ids.ts'
import { refusedField } from '../lib/problem.ts'
import type { EventRow, PolicyRow } from './rows.ts'

/** Conditions of a policy on values of a decision. Pure. */
/** The values that a condition can read; an absent one is left out. */
export interface FactValues {
  readonly action?: { readonly input?: object | undefined }
  readonly tags?: readonly string[]
  readonly aiContext?: { readonly confidence?: number | undefined }
  readonly riskScore?: number | undefined
}

/**
 * An absent value, or one of another type, satisfies every operator except `exists`: a decision does not evade a policy by
 * leaving out an amount or by writing it as text.
 */
export function holds({ pointer, op, value }: PolicyCondition, values: FactValues): boolean {
  const found = valueAt(pointer, values)
  if (op === 'exists') return (found !== undefined) === (value ?? true)
  if (pointer === '/tags' && Array.isArray(found)) {
    const wanted = op === 'in' ? (value as readonly unknown[]) : [value]
    return op === 'gt' || op === 'lt' || found.some((tag) => wanted.includes(tag))
  }
  if (op === 'in') {
    const comparable = (value as readonly unknown[]).filter((each) => typeof each === typeof found)
    return comparable.length === 0 || comparable.includes(found)
  }
  if (typeof found !== typeof value) return true
  if (op === 'gt') return (found as number) > (value as number)
  if (op === 'lt') return (found as number) < (value as number)
  return found === value
}

/** Tags are compared in the form in which equal ones are the same text. */
export function foldedTags(condition: PolicyCondition): PolicyCondition {
  const { pointer, value } = condition
  if (!/^\/tags(\/|$)/.test(pointer) || value === undefined) return condition
  const fold = <T>(each: T): T | string => (typeof each === 'string' ? comparableId(each) : each)
  return { ...condition, value: Array.isArray(value) ? value.map(fold) : fold(value) }
}

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
    action: { ...(action.input !== undefined && { input: action.input as object }) },
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
  const compared = comparedOf(facts)
  const applied: Applied[] = []
  for (const row of rows) {
    const { body, match } = parsed(row)
    if (body.active === false || !reaches(body, center) || !matches(match, compared, center)) continue
    applied.push(appliedOf(row))
  }
  return applied
}

export const appliedOf = (row: PolicyRow): Applied => ({
  id: typedId('policy', row.id),
  version: row.version,
  digest: row.digest,
  body: parsed(row).body,
})

/** A name in two forms: as it was sent, and folded, so that its spelling does not evade a policy. */
interface Spelled {
  readonly sent: string
  readonly folded: string
}

const spelled = (sent: string): Spelled => ({ sent, folded: comparableId(sent) })

type Match = Omit<PolicyBody['match'], 'actionTypes'> & { readonly actionTypes?: readonly Spelled[] }
type Compared = Omit<PolicyFacts, 'actionType'> & { readonly actionType: Spelled | null }

interface Parsed {
  readonly body: PolicyBody
  readonly match: Match
}

/** Computed once for all decisions of a batch, which share its rows. */
const known = new WeakMap<PolicyRow, Parsed>()
function parsed(row: PolicyRow): Parsed {
  let found = known.get(row)
  if (!found) {
    const body = JSON.parse(row.policy) as PolicyBody
    const { actionTypes, when, ...match } = body.match
    found = {
      body,
      match: {
        ...match,
        ...(actionTypes && { actionTypes: actionTypes.map(spelled) }),
        ...(when && { when: when.map(foldedTags) }),
      },
    }
    known.set(row, found)
  }
  return found
}

function comparedOf({ actionType, values, ...facts }: PolicyFacts): Compared {
  const { tags } = values
  return {
    ...facts,
    actionType: actionType === null ? null : spelled(actionType),
    values: tags ? { ...values, tags: tags.map(comparableId) } : values,
  }
}

/** The groups that a policy names, by typed ID. */
export const groupIdsOf = ({ approval }: Pick<PolicyBody, 'approval'>): readonly string[] =>
  [...(approval?.steps ?? []), approval?.inform ?? {}, approval?.emergency ?? {}].flatMap(
    ({ groupIds = [] }) => groupIds,
  )

/** The form in which a seal holds them. */
export const named = (applied: readonly Applied[]) =>
  applied.map(({ id, version, digest }) => ({ id, version, digest }))

/** Whether a center is in the scope of a policy. */
export function reaches({ scope, country, region }: PolicyBody, center: CenterProfile): boolean {
  if (scope === 'country') return country === center.country
  if (scope === 'region') return region === center.region && (country === undefined || country === center.country)
  return true
}

function matches(match: Match, facts: Compared, { vertical }: CenterProfile): boolean {
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

/** As sent or folded: folding may compose the end of a prefix with what follows it, and must take no match away. */
const fitsSome = (globs: readonly Spelled[], { sent, folded }: Spelled): boolean =>
  Math.max(sent.length, folded.length) > longestCompared ||
  globs.some((glob) => fits(glob.folded, folded) || fits(glob.sent, sent))

/** Decisions of the service itself: a change of rules waits for people like any other decision. Pure. */
const ownPrefix = 'countersign.'
export const policyChange = `${ownPrefix}policy`

/** Callers never record these: whoever could would write what an approver of rules is shown. */
export const isOwn = (actionType: string): boolean => comparableId(actionType).startsWith(ownPrefix)

export function refuseOwn(actionType: string): void {
  if (!isOwn(actionType)) return
  throw refusedField(
    'action.type',
    'must not start with "countersign.", which is reserved for the service. Choose another action type',
  )
}

const body: PolicyBody = {
  name: 'Changes of rules',
  scope: 'center',
  match: {},
  guards: { humanReview: true },
  approval: { identity: 'session', roles: ['ADMIN'] },
}

/** For a change of a policy that asks nobody: another ADMIN has to agree. */
export const ownLine: Applied = {
  id: 'countersign',
  version: 1,
  digest: `sha256:${hash('sha256', canonical(body as unknown as Json))}`,
  body,
}
