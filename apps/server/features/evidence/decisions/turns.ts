/** Where the lines of a decision that waits stand: its approvals so far, replayed with the people of now. Pure. */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { Admitted } from '@countersign/proof/control.ts'
import { lineOf } from '@countersign/proof/line.ts'
import { placedOf } from '../../../governance/counting.ts'
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
  const asked: Lines = {
    lines: asking.map(lineOf),
    identity: requirements.identity,
    since: Date.parse(since),
    actor: comparableId(event.actor.id),
  }
  // A list of decisions has many without an approval.
  const people = approvals.length > 0 ? among(candidates) : null
  const counting = approvals.flatMap((given, at) =>
    people && counts(given, event.recorded_by, people) ? [[placedOf(given, people, asked.since), at] as const] : [],
  )
  // Either claims or signed-in members fill places.
  const byMembers = counting.filter(([{ level }]) => level !== 'claim')
  const placed = new Map(byMembers.length > 0 ? byMembers : counting)
  const turns = linesAfter(asked, [...placed.keys()], { candidates })
  const seated = new Set(turns.flatMap(({ seats }) => seats.map((seat) => placed.get(seat.given))))
  return { asked, policies: asking, turns, placed, struck: struckOf(approvals, (at) => seated.has(at)) }
}

/** The people of now, as earlier approvals are weighed beside them; those who count as one are a family. */
const among = (candidates: readonly Candidate[]) => ({
  members: new Map(candidates.flatMap(({ actorId, roles }) => (roles === null ? [] : [[actorId, roles] as const]))),
  families: new Map(candidates.map(({ actorId, ids = [] }) => [actorId, [...ids]] as const)),
  people: candidates,
})

/** One that was taken back, is a refusal, or is by somebody who may no longer approve does not count. */
function counts(given: GivenApproval, recordedBy: string | null, { members }: ReturnType<typeof among>): boolean {
  const { identity_level: level, identity_by: by, on_behalf_of: absent } = given
  if (given.taken_back_at || given.result !== 'approved') return false
  return level === 'claim' ? by !== recordedBy : [by, absent ?? by].every((id) => members.has(id))
}
