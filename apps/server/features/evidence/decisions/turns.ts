/** Where the lines of a decision that waits stand: its approvals so far, replayed with the people of now. Pure. */

import type { Admitted } from '@countersign/proof/control.ts'
import type { Approving } from '../../../governance/approving.ts'
import { replay } from '../../../governance/counting.ts'
import type { Candidate, Lines, LineTurn, PlacedApproval } from '../../../governance/line.ts'
import type { Applied } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'

export interface GivenApproval
  extends Pick<
    ApprovalRow,
    | 'position'
    | 'approver'
    | 'result'
    | 'identity_level'
    | 'identity_by'
    | 'on_behalf_of'
    | 'passkey_id'
    | 'control'
    | 'created_at'
    | 'taken_back_at'
  > {
  /** Of a deputy's: whether the absence that covered it is still there. */
  readonly deputed: boolean
  /** Of one with a passkey: whether that is still bound to its person. */
  readonly bound: boolean
}

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
  /** By that position: the places that an approval had when it was given, where it has none now. */
  readonly struck: StruckPlaces
}

export type StruckPlaces = ReadonlyMap<number, readonly StoredPlace[]>

/** `isSeated`: it counts, and has a place. */
export const struckOf = (
  approvals: readonly Pick<GivenApproval, 'result' | 'control'>[],
  isSeated: (position: number) => boolean,
): StruckPlaces =>
  new Map(
    approvals.flatMap(({ result, control }, at) =>
      result === 'approved' && !isSeated(at)
        ? [[at, (control?.admitted ?? []).filter((each): each is Admitted => 'policyId' in each)] as const]
        : [],
    ),
  )

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
  // A list of decisions has many without an approval.
  const standing = approvals.length > 0 ? standingAmong(candidates, approvals) : null
  const decision = { event, earlier: approvals, standing, since: Date.parse(since) }
  const { lines: asked, turns, placed: all } = replay(requirements, decision, null)
  const placed = new Map(all.flatMap((each, at) => (each && typeof each !== 'string' ? [[each, at] as const] : [])))
  const seated = new Set(turns.flatMap(({ seats }) => seats.map((seat) => placed.get(seat.given))))
  return { asked, policies: asking, turns, placed, struck: struckOf(approvals, (at) => seated.has(at)) }
}

/** The people of now, as the seal weighs earlier approvals beside them; those who count as one are a family. */
function standingAmong(
  candidates: readonly Candidate[],
  approvals: readonly GivenApproval[],
): NonNullable<Approving['standing']> {
  const unbound = new Set(
    approvals.flatMap(({ passkey_id, bound }) => (passkey_id !== null && !bound ? [passkey_id] : [])),
  )
  return {
    members: new Map(
      candidates.flatMap(({ actorId, roles, counting = roles }) =>
        counting?.length ? [[actorId, counting] as const] : [],
      ),
    ),
    families: new Map(candidates.map(({ actorId, ids = [] }) => [actorId, [...ids]] as const)),
    people: candidates,
    withdrawn: new Set(approvals.flatMap(({ position, deputed }) => (deputed ? [] : [position]))),
    isBound: (id) => !unbound.has(id),
  }
}
