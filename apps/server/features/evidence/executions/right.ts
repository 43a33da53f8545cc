/** Who may act on a decision, and whether it may be acted on. Pure. */
import type { BoundActor, KeyPrincipal } from '../../../access/principal.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'

export type ActingKey = Pick<KeyPrincipal, 'actorId' | 'boundTo'>

const isActor = (bound: BoundActor | null, { id, type }: EventRow['actor']): boolean =>
  bound !== null && bound.id === id && bound.type === type

/** The key that recorded the decision, one that records only as its actor, or, after a redaction of both, its consumer. */
export function requireOwnKey(
  { actorId, boundTo }: ActingKey,
  { recorded_by, actor }: EventRow,
  consumedBy?: string,
): void {
  if (actorId === recorded_by || isActor(boundTo, actor) || actorId === consumedBy) return
  throw new Problem(
    'FORBIDDEN',
    'Only the key that recorded this decision, or a key for its actor, can act on it. Use one of these keys.',
  )
}

/** What the entry of a decision says in its hashed text, whatever the rows say. */
export interface SealedAction {
  readonly actionDigest: string
  readonly approval?: { readonly result: string }
}

/** `sealed` is undefined for a decision without an entry. */
export function requireSealed({ status }: EventRow, sealed: SealedAction | undefined): SealedAction {
  const isRefused = status === 'rejected' || sealed?.approval?.result === 'rejected'
  if (status === 'sealed' && sealed && !isRefused) return sealed
  throw new Problem(
    'CONFLICT',
    isRefused
      ? "This decision was refused, and the refusal is sealed. Don't run its action."
      : "This decision isn't approved yet. Don't run its action; try again after the approval.",
  )
}

export function requireSameAction(sealed: SealedAction, actionDigest: string): void {
  if (actionDigest === sealed.actionDigest) return
  throw new Problem(
    'POLICY_VIOLATION',
    "This isn't the action that was decided: its digest doesn't match. Don't run it; record it as a new decision.",
    { details: { guard: 'action' } },
  )
}
