/** Guardianships: who may act for a child in a center. Moves are judged by the one table in packages/contract/moves.ts. */
import type { MembershipStatus } from '@countersign/contract/enums.ts'
import { type GuardianshipMove, guardianshipMoves } from '@countersign/contract/moves.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { audit } from '../../../audit/audit.ts'
import type { Directory, DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import {
  type FamilyRow,
  type GuardianshipRow,
  guardedStatus,
  lockInvited,
  lockOpenOf,
  setGuardianship,
} from './queries.ts'

export { familyRows } from './queries.ts'

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
  )
}

/** The caller must hold the lock of the row. One move and one audit entry. */
export async function moveGuardianship(
  tx: DirectoryTx | IdentityTx,
  row: GuardianshipRow,
  move: GuardianshipMove,
): Promise<void> {
  const { from, to } = guardianshipMoves[move]
  if (!(from as readonly string[]).includes(row.status)) {
    throw new Problem(
      'CONFLICT',
      `A guardianship with the status ${row.status} can't be changed to ${to}. Its status may have changed recently, so fetch the guardianship again.`,
    )
  }
  await setGuardianship(tx, row, to)
  await noteGuardianship(tx, row, move, { from: row.status, to })
}

export const noteGuardianship = (
  tx: DirectoryTx | IdentityTx,
  row: Pick<GuardianshipRow, 'id' | 'center_id' | 'child_id'>,
  move: string,
  { from, to }: { from: string | null; to: string },
) =>
  audit(tx, {
    type: 'membership.transitioned',
    action: `guardianship_${move}`,
    target: { type: 'guardianship', id: typedId('guardianship', row.id) },
    details: { from, to, childId: row.child_id },
    centerId: row.center_id,
  })

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
