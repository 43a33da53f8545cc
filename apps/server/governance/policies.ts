/** Policy matching over the scopes global, country, region and center. All that match apply. Pure. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import { comparableId } from '../lib/comparable-id.ts'
import { typedId } from '../lib/ids.ts'
import { type FactValues, foldedTags, holds } from './conditions.ts'
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
