/** Where the lines of a decision that waits stand: its approvals so far, replayed with the people of now. Pure. */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import { lineOf } from '@countersign/proof/line.ts'
import { judgedBefore, keyName } from '../../../governance/counting.ts'
import { type Candidate, type Lines, type LineTurn, linesAfter, type PlacedApproval } from '../../../governance/line.ts'
import type { Applied } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'

export type GivenApproval = Pick<
  ApprovalRow,
  'approver' | 'result' | 'identity_level' | 'identity_by' | 'on_behalf_of' | 'control' | 'created_at' | 'taken_back_at'
>

/** A place, as it is stored with an approval; without a policy in approvals that were given before there were lines. */
export interface StoredPlace {
  readonly policyId?: string | undefined
  readonly version?: number | undefined
  readonly step?: number | undefined
  readonly by?: string | undefined
}

export interface Standing {
  readonly asked: Lines
  /** The policies that ask, in the order of the lines. */
  readonly policies: readonly Applied[]
  readonly turns: readonly LineTurn[]
  /** By their position among all approvals. */
  readonly placed: ReadonlyMap<PlacedApproval, number>
}

interface Open {
  readonly event: Pick<EventRow, 'actor' | 'risk_score' | 'recorded_by'>
  readonly since: string
  readonly approvals: readonly GivenApproval[]
}

/** Null where no policy asks. `policies`: those over the decision now. */
export function linesNow(
  { event, since, approvals }: Open,
  policies: readonly Applied[],
  candidates: readonly Candidate[],
): Standing | null {
  const { risk_score: riskScore } = event
  const requirements = requirementsOf(policies, riskScore)
  if (!requirements) return null
  const asking = policies.filter((policy) => requirementsOf([policy], riskScore) !== null)
  const asked: Lines = {
    lines: asking.map(lineOf),
    identity: requirements.identity,
    since: Date.parse(since),
    actor: comparableId(event.actor.id),
  }
  const counting = approvals.flatMap((given, at) => {
    const one = placedOf(given, event.recorded_by, candidates)
    return one ? [[one, at] as const] : []
  })
  // Either claims or signed-in members fill places.
  const byMembers = counting.filter(([{ level }]) => level !== 'claim')
  const placed = new Map(byMembers.length > 0 ? byMembers : counting)
  const turns = linesAfter(asked, [...placed.keys()], { candidates })
  return { asked, policies: asking, turns, placed }
}

/** Null for one that does not count: taken back, a refusal, or by somebody who may no longer approve. */
function placedOf(
  given: GivenApproval,
  recordedBy: string | null,
  candidates: readonly Candidate[],
): PlacedApproval | null {
  const { approver, identity_level: level, identity_by: by, on_behalf_of: absent, created_at } = given
  if (given.taken_back_at || given.result !== 'approved') return null
  const held = { level, at: Date.parse(created_at), ...judgedBefore(given.control) }
  if (level === 'claim') {
    if (by === recordedBy) return null
    const ids = new Set([comparableId(approver.id), keyName(by)])
    return { ...held, person: { actorId: approver.id, role: null }, own: ids, ids }
  }
  const [approving, person] = [by, absent ?? by].map((id) => candidates.find(({ actorId }) => actorId === id))
  if (!approving || !person) return null
  const own = new Set([approver.id, by, person.actorId].map(comparableId))
  return { ...held, person, own, ids: new Set([...own, ...(approving.ids ?? []), ...(person.ids ?? [])]) }
}
