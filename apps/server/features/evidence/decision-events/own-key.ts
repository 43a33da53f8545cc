/** Which keys act for the one who decided. Pure. */
import type { BoundActor, KeyPrincipal } from '../../../access/principal.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'

export type ActingKey = Pick<KeyPrincipal, 'actorId' | 'boundTo' | 'line'>

const isActor = (bound: BoundActor | null, { id, type }: EventRow['actor']): boolean =>
  bound !== null && bound.id === id && bound.type === type

/** The key that recorded the decision or another one of its line of replacements, one that records only as its actor, or, after a redaction of both, its consumer. */
export function requireOwnKey(
  { line, boundTo }: ActingKey,
  { recorded_by, actor }: EventRow,
  consumedBy?: string,
): void {
  const isOwn = [recorded_by, consumedBy].some((each) => each != null && line.includes(each))
  if (isOwn || isActor(boundTo, actor)) return
  throw new Problem(
    'FORBIDDEN',
    'Only the key that recorded this decision, or a key for its actor, can act on it. Use one of these keys.',
    { details: { reason: 'otherKey' } },
  )
}
