/** Moves of a membership, judged by the one table in contract/moves.ts. */
import type { MembershipStatus } from '@countersign/contract/enums.ts'
import { type MembershipMove, membershipMoves } from '@countersign/contract/moves.ts'
import { audit } from '../../audit/audit.ts'
import type { DirectoryTx, IdentityTx } from '../../data/directory.ts'
import { meaning } from '../../data/transaction.ts'
import { typedId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { Services } from '../../services.ts'
import { findMember, lockMembership, type MemberRow, setStatus } from './queries.ts'

export const isAllowed = (move: MembershipMove, from: MembershipStatus): boolean =>
  (membershipMoves[move].from as readonly MembershipStatus[]).includes(from)

const noSeat = () =>
  new Problem(
    'CONFLICT',
    'All seats of the subscription are taken; end or suspend a membership, or choose a larger plan.',
  )

const notInOrder = () =>
  new Problem(
    'CONFLICT',
    'The subscription is suspended or canceled, so no member can be activated; put it in order first.',
  )

export interface MovedMembership {
  readonly id: string
  readonly centerId: number
  readonly actorId: string
}

/** Call with the membership locked. One move, one audit entry, and the caches of this process know at once. */
export async function makeMove(
  services: Services,
  tx: DirectoryTx | IdentityTx,
  membership: MovedMembership,
  move: MembershipMove,
  from: MembershipStatus,
): Promise<void> {
  const { to } = membershipMoves[move]
  const moved =
    isAllowed(move, from) &&
    (await setStatus(tx, membership.id, from, to).catch(
      meaning({ seats_within_limit: noSeat, subscription_in_order: notInOrder }),
    ))
  if (!moved) throw new Problem('CONFLICT', `A membership that is ${from} cannot become ${to}.`)
  await audit(tx, {
    type: 'membership.transitioned',
    action: move,
    target: { type: 'membership', id: typedId('membership', membership.id) },
    details: { from, to },
    centerId: membership.centerId,
  })
  tx.afterCommit(() => services.authenticate.forget(`center:${membership.centerId}`, `actor:${membership.actorId}`))
}

export async function moveMembership(
  services: Services,
  tx: DirectoryTx,
  id: string | null,
  move: MembershipMove,
): Promise<MemberRow> {
  const own = membershipMoves[move].by === 'the member'
  const locked = id === null ? undefined : await lockMembership(tx, id, own)
  if (!locked)
    throw new Problem('NOT_FOUND', own ? 'You have no such membership.' : 'This center has no such membership.')
  await makeMove(
    services,
    tx,
    { id: locked.id, centerId: locked.center_id, actorId: locked.actor_id },
    move,
    locked.status,
  )
  return findMember(tx, locked.id)
}
