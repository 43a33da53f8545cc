/** Moves of a membership, judged by the one table in packages/contract/moves.ts, and the rules of its role. */
import { type ActorRole, actorRoles, type MembershipStatus } from '@countersign/contract/enums.ts'
import { type MembershipMove, membershipMoves } from '@countersign/contract/moves.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import { type DirectoryTx, type IdentityTx, withinCenter } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import {
  findMember,
  findOwnMembership,
  isWorkspace,
  type LockedMembership,
  lockCenter,
  lockMembership,
  type MemberRow,
  reveal,
  setRoles,
  setStatus,
  takeApproval,
} from './queries.ts'
import { noteMembership, noteRoles } from './told.ts'

export { actorsNamed, membersFound } from './find.ts'
export { type InvitationNeeds, type Invited, inviteByMail, inviteStranger } from './invite.ts'
export { peopleIn } from './labels.ts'
export { type MemberRow, memberOf, readMember } from './membership.ts'
export { nameLocked } from './naming.ts'
export {
  invitationStands,
  isActiveMember,
  isWorkspace,
  type LockedMembership,
  lockByAddress,
  lockCenter,
  namesOfMembers,
  reviewersIn,
} from './queries.ts'

export const isAllowed = (move: MembershipMove, from: MembershipStatus): boolean =>
  (membershipMoves[move].from as readonly MembershipStatus[]).includes(from)

const noSeat = () =>
  new Problem(
    'CONFLICT',
    "All of the subscription's seats are taken. End or suspend a membership, or choose a larger plan.",
    { details: { reason: 'seats' }, passing: true },
  )

const notInOrder = () =>
  new Problem(
    'CONFLICT',
    "The subscription is suspended or canceled, so members can't be activated. Pay in your billing system, or ask the operator to reactivate it.",
    { details: { reason: 'subscription' }, passing: true },
  )

const noStaffPlace = () =>
  new Problem(
    'CONFLICT',
    "The plan's administrators and instructors are all in use. End or suspend one of them, or choose a larger plan.",
    { details: { reason: 'seats' }, passing: true },
  )

const lastAdmin = () =>
  new Problem(
    'CONFLICT',
    "This is the center's last active administrator. Make another member an administrator first.",
    {
      details: { reason: 'lastAdmin' },
      passing: true,
    },
  )

const workspaceOfOne = () =>
  new Problem('CONFLICT', 'A workspace belongs to one person, who is its only administrator. Choose another role.', {
    details: { reason: 'workspace' },
  })

const personErased = () =>
  new Problem(
    'CONFLICT',
    'This person has deleted their account, so the membership stays ended. Invite them with an email address to start again.',
    { details: { reason: 'erased' } },
  )

/** What the database refuses about a membership, in words. */
export const refusals = {
  seats_within_limit: noSeat,
  staff_within_limit: noStaffPlace,
  subscription_in_order: notInOrder,
  last_admin: lastAdmin,
  workspace_of_one: workspaceOfOne,
  person_erased: personErased,
}

/** Before an invitation, so that no person receives one that cannot be accepted. */
export async function requireInvitable(tx: DirectoryTx, roles: readonly ActorRole[]): Promise<void> {
  if (roles.includes('ADMIN') && (await isWorkspace(tx))) throw workspaceOfOne()
}

export interface MovedMembership {
  readonly id: string
  readonly centerId: number
  readonly actorId: string
}

/** The caller must hold the membership's lock. One move and one audit entry; the caches of this process are cleared on commit. */
export async function makeMove(
  authenticate: Authenticator,
  tx: DirectoryTx | IdentityTx,
  membership: MovedMembership,
  move: MembershipMove,
  from: MembershipStatus,
): Promise<void> {
  const { to } = membershipMoves[move]
  const moved = isAllowed(move, from) && (await setStatus(tx, membership, from, to).catch(meaning(refusals)))
  if (!moved) throw notPossible(from, to)
  if (move === 'accept') await reveal(tx, membership)
  await audit(tx, {
    type: 'membership.transitioned',
    action: move,
    target: { type: 'membership', id: typedId('membership', membership.id) },
    details: { from, to },
    centerId: membership.centerId,
  })
  await noteMembership(tx, membership, move)
  tx.afterCommit(() => authenticate.forget(`center:${membership.centerId}`, `actor:${membership.actorId}`))
}

export const notPossible = (from: MembershipStatus, to: MembershipStatus): Problem =>
  new Problem(
    'CONFLICT',
    `A membership with the status ${from} can't be changed to ${to}. Its status may have changed recently, so fetch the membership again.`,
    { details: { reason: 'status' } },
  )

const movedOf = ({ id, center_id, actor_id }: LockedMembership): MovedMembership => ({
  id,
  centerId: center_id,
  actorId: actor_id,
})

export async function requireMembership(tx: DirectoryTx, id: string | null): Promise<LockedMembership> {
  await lockCenter(tx, tx.caller.centerId)
  const locked = id === null ? undefined : await lockMembership(tx, id)
  if (!locked)
    throw new Problem('NOT_FOUND', 'This center has no membership with this ID. List its members to find the ID.')
  return locked
}

export async function moveMembership(
  authenticate: Authenticator,
  tx: DirectoryTx,
  id: string | null,
  move: MembershipMove,
): Promise<MemberRow> {
  if (membershipMoves[move].by === 'the member') return moveOwn(authenticate, tx, id, move)
  const locked = await requireMembership(tx, id)
  await makeMove(authenticate, tx, movedOf(locked), move, locked.status)
  return findMember(tx, locked.id)
}

/** The person may have entered another center, or none: the move is made in the center of the membership. */
async function moveOwn(
  authenticate: Authenticator,
  tx: DirectoryTx,
  id: string | null,
  move: MembershipMove,
): Promise<MemberRow> {
  const found = id === null ? undefined : await findOwnMembership(tx, id)
  if (!found)
    throw new Problem('NOT_FOUND', 'You have no membership with this ID. List your memberships to find the ID.')
  await withinCenter(tx, found.center_id, async (own) => {
    await lockCenter(own, found.center_id)
    await makeMove(authenticate, own, movedOf(found), move, found.status)
    if (move === 'accept' && (await takeApproval(own, found.id)))
      await makeMove(authenticate, own, movedOf(found), 'approve', 'PENDING')
  })
  return findMember(tx, found.id)
}

const roleless: readonly MembershipStatus[] = ['REJECTED', 'ENDED']

/** The highest first, as the database keeps them. `role` alone is a set of one. */
export function rolesIn({ role, roles }: { readonly role?: ActorRole; readonly roles?: readonly ActorRole[] }) {
  if (role === undefined && roles === undefined) {
    throw new Problem('MISSING_REQUIRED_FIELD', '"role" is missing. Send "role", or "roles" if there are several.')
  }
  if (role !== undefined && roles !== undefined) {
    throw new Problem(
      'VALIDATION_ERROR',
      'The request has both "role" and "roles". Send "roles" with all roles of the member, or "role" if there is only one.',
      { details: { reason: 'roleOrRoles', field: 'roles' } },
    )
  }
  return role ? [role] : actorRoles.filter((each) => roles?.includes(each))
}

export async function changeRoles(
  authenticate: Authenticator,
  tx: DirectoryTx,
  id: string | null,
  roles: readonly ActorRole[],
): Promise<MemberRow> {
  const locked = await requireMembership(tx, id)
  const { roles: from, status } = locked
  if (roleless.includes(status)) {
    throw new Problem(
      'CONFLICT',
      `A membership with the status ${status} has no role to change. Invite the person again.`,
      { details: { reason: 'noRole' } },
    )
  }
  if (roles.join() !== from.join()) {
    await setRoles(tx, locked.id, roles).catch(meaning(refusals))
    await audit(tx, {
      type: 'membership.transitioned',
      action: 'role',
      target: { type: 'membership', id: typedId('membership', locked.id) },
      details: { fromRoles: from.join(', '), toRoles: roles.join(', ') },
    })
    await noteRoles(tx, movedOf(locked), { from, to: roles })
    tx.afterCommit(() => authenticate.forget(`center:${locked.center_id}`, `actor:${locked.actor_id}`))
  }
  return findMember(tx, locked.id)
}
