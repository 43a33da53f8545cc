/** Which keys act for the one who decided. Pure. */
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
