/** Which decisions concern a person: theirs now, theirs later, closed ones of which they are informed, and those that they asked for. */
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Applied, appliedOf, ownLine } from '../../../governance/policies.ts'
import { now } from '../../../lib/clock.ts'
import { policyTexts } from '../dpu/api.ts'
import { turnFor } from './asked.ts'
import { type ShownEmergency, toBeConfirmed } from './confirmation-queries.ts'
import { askedBy, informedOf, type TurnRow, turnRows } from './console-queries.ts'
import { confirmersNow, confirmingNow, textsByName } from './emergencies.ts'
import { informedMember, type Staff, staffNow } from './people.ts'
import { keysOf } from './queries.ts'
import { linesNow } from './turns.ts'

export interface Views {
  readonly turn: readonly string[]
  readonly soon: readonly string[]
  /** Sealed ones whose emergency approval they can confirm. */
  readonly confirm: readonly string[]
  readonly informed: readonly string[]
  readonly asked: readonly string[]
}

/**
 * By the policies with which each row was last judged, not judged anew: a list of a thousand would read every action. The page of
 * the decision and its seal judge by the policies of now.
 */
export async function viewsOf(tx: TenantTx, directory: Directory, principal: MemberPrincipal): Promise<Views> {
  const { actorId } = principal
  const rows = await turnRows(tx)
  const named = new Map(rows.flatMap(({ policies }) => policies.map((each) => [nameOf(each), each] as const)))
  const texts = (await policyTexts(tx, [...named.values()])).filter(({ policy }) => policy).map(appliedOf)
  const known = new Map([...texts, ownLine].map((policy) => [nameOf(policy), policy]))
  const staff = await staffNow(directory, tx)
  const at = now().getTime()
  const open = await toBeConfirmed(tx, new Date(at), mostConfirmed)
  const confirm = await confirmedBy(tx, open, staff, actorId, at)
  const standings = rows.map((row) => [row.id, standingOf(row, known, staff, actorId, at)] as const)
  const keys = await directory.asCenter(tx.caller, (own) => keysOf(own, actorId), 'read')
  return {
    turn: standings.flatMap(([id, standing]) => (standing === 'turn' ? [id] : [])),
    soon: standings.flatMap(([id, standing]) => (standing === 'soon' ? [id] : [])),
    confirm,
    informed: await informedOf(tx, await informedMember(tx, principal)),
    asked: await askedBy(tx, actorId, keys),
  }
}

/** A center has few of them: each is an exception. */
const mostConfirmed = 200

async function confirmedBy(
  tx: TenantTx,
  open: readonly ShownEmergency[],
  staff: Staff,
  actorId: string,
  at: number,
): Promise<readonly string[]> {
  if (open.length === 0) return []
  const named = open.flatMap(({ sealed_policies }) => sealed_policies ?? [])
  const known = textsByName((await policyTexts(tx, named)).filter(({ policy }) => policy).map(appliedOf))
  return open
    .filter((row) => confirmersNow(confirmingNow(row, known), staff, at).confirm.has(actorId))
    .map(({ event_id }) => event_id)
}

const nameOf = ({ id, version }: { readonly id: string; readonly version: number }): string => `${id} ${version}`

/** What a decision that waits is to a member. */
export function standingOf(
  { event, since, approvals, policies }: TurnRow,
  known: ReadonlyMap<string, Applied>,
  staff: Staff,
  actorId: string,
  at: number,
): 'turn' | 'soon' | null {
  const over = policies.flatMap((each) => known.get(nameOf(each)) ?? [])
  const standing = linesNow({ event, since, approvals }, over, staff.candidates)
  if (!standing) return null
  const { now: isTurn, next } = turnFor(standing, staff, actorId, at)
  return isTurn ? 'turn' : next ? 'soon' : null
}
