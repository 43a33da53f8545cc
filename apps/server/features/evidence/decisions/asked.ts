/** Which members are asked about a decision. Pure. */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { type Applied, factsOfEvent, isOwn, matchPolicies, ownLine } from '../../../governance/policies.ts'
import { mayApprove, requirementsOf } from '../../../governance/requirements.ts'
import { overOpen, type PolicyCopy } from '../decision-events/api.ts'
import type { ApproverRow } from './queries.ts'
import type { WaitingEvent } from './waiting-queries.ts'

export interface Asking {
  readonly copy: PolicyCopy
  readonly center: CenterProfile
  readonly members: readonly ApproverRow[]
  readonly deputies: readonly { readonly actor_id: string; readonly deputy_id: string }[]
  readonly at: number
}

/** The policies over a decision that waits, as the seal will judge it. */
export function policiesNow(
  { event, waiting }: { readonly event: Parameters<typeof factsOfEvent>[0]; readonly waiting: WaitingEvent['waiting'] },
  { policies }: Pick<PolicyCopy, 'policies'>,
  center: CenterProfile,
): readonly Applied[] {
  if (!isOwn(event.action.type)) return overOpen(matchPolicies(policies, factsOfEvent(event), center), waiting)
  const lines = overOpen([], waiting)
  return lines.length > 0 ? lines : [ownLine]
}

/** The ids of the members who may approve it now, deputies included, without the actor of the decision. */
export function askedMembers({ event, waiting }: WaitingEvent, asking: Asking): ReadonlySet<string> {
  const { copy, center, members, deputies, at } = asking
  const asked = requirementsOf(policiesNow({ event, waiting }, copy, center), event.risk_score)
  if (!asked) return new Set()
  const waited = (at - Date.parse(waiting.since)) / 1000
  const known = new Set(members.map(({ actor_id }) => actor_id))
  const allowed = members.filter(({ actor_id, role }) => mayApprove(asked, { actorId: actor_id, role }, waited))
  const ids = new Set(allowed.map(({ actor_id }) => actor_id))
  for (const { actor_id, deputy_id } of deputies) {
    if (allowed.some((member) => member.actor_id === actor_id) && known.has(deputy_id)) ids.add(deputy_id)
  }
  for (const id of ids) if (comparableId(id) === comparableId(event.actor.id)) ids.delete(id)
  return ids
}
