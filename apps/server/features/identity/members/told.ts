/** The causes of messages about a membership. */
import { type ActorRole, approverRoles } from '@countersign/contract/enums.ts'
import type { MembershipMove } from '@countersign/contract/moves.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { newUuid } from '../../../lib/ids.ts'
import { noteCause } from '../../../mail/causes.ts'
import { rolesAndStatus } from './queries.ts'

interface Moved {
  readonly id: string
  readonly centerId: number
  readonly actorId: string
}

const events: Readonly<Partial<Record<MembershipMove, 'accepted' | 'approved' | 'rejected'>>> = {
  accept: 'accepted',
  approve: 'approved',
  reject: 'rejected',
}

const approves = (role: ActorRole): boolean => approverRoles.some((each) => each === role)

export async function noteMembership(tx: DirectoryTx | IdentityTx, moved: Moved, move: MembershipMove): Promise<void> {
  const event = events[move]
  const found = event && (await rolesAndStatus(tx, moved))
  // Whoever may approve, and every administrator, is told that by a message of its own.
  if (!found || (event === 'approved' && found.roles.some(approves))) return
  const facts = { person: moved.actorId, by: tx.caller.actorId, role: found.roles.join(), status: found.status }
  await noteCause(tx, moved.centerId, { id: `membership ${moved.id} ${newUuid()}`, event, facts })
}

export async function noteRoles(
  tx: DirectoryTx,
  moved: Moved,
  { from, to }: { readonly from: readonly ActorRole[]; readonly to: readonly ActorRole[] },
): Promise<void> {
  if (to.some((role) => approves(role) && !from.includes(role))) return
  const facts = { person: moved.actorId, role: to.join() }
  await noteCause(tx, moved.centerId, { id: `membership ${moved.id} ${newUuid()}`, event: 'roleChanged', facts })
}
