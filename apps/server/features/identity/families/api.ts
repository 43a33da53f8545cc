/** Guardianships: who may act for a child in a center. Moves are judged by the one table in packages/contract/moves.ts. */
import type { MembershipStatus } from '@countersign/contract/enums.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Directory, IdentityTx } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import { moveGuardianship } from './moves.ts'
import { type FamilyRow, guardedStatus, lockInvited, lockOpenOf } from './queries.ts'

export { addChildOfCenter, type EnrollNeeds, offerGuardianship } from './enroll.ts'
export { familyRows, lockPair } from './queries.ts'

/** Guardianship counts while the person is an ACTIVE member of a center that is ACTIVE. */
export const isGuarded = (row: FamilyRow): boolean =>
  row.status === 'ACTIVE' && row.standing === 'ACTIVE' && row.center_status === 'ACTIVE'

export interface ActingFor {
  readonly actorId: string
  readonly centerId: number
  readonly childId: string
}

/** The status of the child's membership where the person is its guardian in this center; otherwise null. */
export const guardedChild = async (directory: Directory, acting: ActingFor): Promise<MembershipStatus | null> => {
  const caller = { requestId: 'guardian', actorId: acting.actorId, centerId: 0 }
  return (await directory.identity(caller, (tx) => guardedStatus(tx, acting), 'read')) ?? null
}

/**
 * Whose records a list shows: all that staff ask for; of other members their own, or those of a child that they are a
 * guardian of. Undefined: everybody's.
 */
export async function clientShown(
  directory: Directory,
  { actorId, role, entered }: MemberPrincipal,
  asked: string | undefined,
): Promise<string | undefined> {
  if (role === 'ADMIN' || role === 'INSTRUCTOR') return asked
  const clientId = asked?.toLowerCase() ?? actorId
  if (
    clientId === actorId ||
    (await guardedChild(directory, { actorId, centerId: entered.centerId, childId: clientId }))
  )
    return clientId
  throw new Problem(
    'INSUFFICIENT_ROLE',
    'You can only see your own and your children\'s appointments and attendance. Leave out "clientId", or send your child\'s ID.',
    { details: { reason: 'notYourClient' } },
  )
}

/** With an invitation by mail a person accepts every guardianship that the center has offered; returns how many. */
export async function acceptInvited(tx: IdentityTx, centerId: number, parentId: string): Promise<number> {
  const invited = await lockInvited(tx, centerId, parentId)
  for (const row of invited) await moveGuardianship(tx, row, 'accept')
  return invited.length
}

/** All that these people have, as a parent or as a child. The caller holds the locks of their centers. */
export async function endGuardianships(tx: IdentityTx, people: readonly string[]): Promise<void> {
  for (const row of await lockOpenOf(tx, people)) await moveGuardianship(tx, row, 'end')
}
