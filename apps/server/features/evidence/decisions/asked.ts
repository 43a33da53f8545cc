/** Whose turn it is in the lines of a decision. Pure. */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { asGiven, standingIn, whoseTurn } from '../../../governance/line.ts'
import { type Applied, factsOfEvent, isOwn, matchPolicies, ownLine } from '../../../governance/policies.ts'
import { overOpen, type PolicyCopy } from '../decision-events/api.ts'
import type { Staff } from './people.ts'
import { linesNow, type Standing } from './turns.ts'
import type { WaitingEvent } from './waiting-queries.ts'

export interface Asking extends Pick<Staff, 'candidates' | 'deputies'> {
  readonly copy: PolicyCopy
  readonly center: CenterProfile
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

/** The lines of a decision that waits; null where no policy asks any more. */
export const linesOf = (
  { event, waiting, approvals }: WaitingEvent,
  { copy, center, candidates }: Pick<Asking, 'copy' | 'center' | 'candidates'>,
): Standing | null =>
  linesNow({ event, since: waiting.since, approvals }, policiesNow({ event, waiting }, copy, center), candidates)

/** The ids of the members whose turn it is, and of those who stand in for them, without the actor of the decision. */
export function turnOf(
  standing: Standing | null,
  { candidates, deputies }: Pick<Staff, 'candidates' | 'deputies'>,
  at: number,
): ReadonlySet<string> {
  if (!standing) return new Set()
  const { asked, turns } = standing
  const ids = new Set(whoseTurn(asked, turns, { candidates }, at).map(({ actorId }) => actorId))
  const known = new Set(candidates.map(({ actorId }) => actorId))
  for (const { actor_id, deputy_id } of deputies) {
    if (ids.has(actor_id) && known.has(deputy_id)) ids.add(deputy_id)
  }
  for (const id of ids) if (comparableId(id) === asked.actor) ids.delete(id)
  return ids
}

/** A step at which the turn of somebody comes. */
export interface TurnAhead {
  readonly policyId: string
  readonly version: number
  readonly step: number
  readonly title: string | null
}

/** Whether it is the turn of a member, and if not, the first later step that is theirs. */
export function turnFor(
  standing: Standing,
  staff: Pick<Staff, 'candidates' | 'deputies'>,
  actorId: string,
  at: number,
): { readonly now: boolean; readonly next: TurnAhead | null } {
  if (turnOf(standing, staff, at).has(actorId)) return { now: true, next: null }
  const { asked, turns } = standing
  const person = staff.candidates.find((each) => each.actorId === actorId)
  if (!person?.ids || person.ids.has(asked.actor)) return { now: false, next: null }
  const [next = null] = turns.flatMap((turn): TurnAhead[] => {
    const { policyId, version, steps } = turn.line
    const own = standingIn(asked, turn, asGiven(person, at), staff)
    return own.kind === 'later' ? [{ policyId, version, step: own.step, title: steps[own.step]?.title ?? null }] : []
  })
  return { now: false, next }
}

export const askedMembers = (row: WaitingEvent, asking: Asking): ReadonlySet<string> =>
  turnOf(linesOf(row, asking), asking, asking.at)

/** Those whose turn it became since members were last noted as to be told. */
export function newlyAsked(row: WaitingEvent, asking: Asking): ReadonlySet<string> {
  const now = askedMembers(row, asking)
  const { told, told_at: toldAt, told_changes: changes = 0 } = row.waiting
  if (!told || !toldAt) return now
  const before = { ...row, approvals: row.approvals.slice(0, changes) }
  const asked = turnOf(linesOf(before, asking), asking, Date.parse(toldAt))
  return new Set([...now].filter((id) => !asked.has(id)))
}

/** When the current step of a line is next asked of further people, in milliseconds; null if never. */
export function nextEscalation(standing: Standing | null, at: number): number | null {
  const times = (standing?.turns ?? []).flatMap(({ line, step, after }) => {
    const { escalateTo } = line.steps[step] ?? {}
    const from = after?.at ?? (standing as Standing).asked.since
    return escalateTo ? [from + escalateTo.afterSeconds * 1000] : []
  })
  const later = times.filter((time) => time > at)
  return later.length > 0 ? Math.min(...later) : null
}
