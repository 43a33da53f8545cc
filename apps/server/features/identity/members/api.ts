/** Invitations by mail, and moves of a membership, judged by the one table in packages/contract/moves.ts. */
import type { ActorRole, MembershipStatus } from '@countersign/contract/enums.ts'
import { type MembershipMove, membershipMoves } from '@countersign/contract/moves.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config.ts'
import type { Directory, DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { actorOfLogin, emailIdentifier } from '../auth/api.ts'
import {
  findMember,
  insertActor,
  insertInvitation,
  insertMembership,
  lockMembership,
  type MemberRow,
  setStatus,
} from './queries.ts'

export { type MemberRow, memberOf, readMember } from './membership.ts'

export const isAllowed = (move: MembershipMove, from: MembershipStatus): boolean =>
  (membershipMoves[move].from as readonly MembershipStatus[]).includes(from)

const noSeat = () =>
  new Problem(
    'CONFLICT',
    'All seats of the subscription are taken; end or suspend a membership, or choose a larger plan.',
    { passing: true },
  )

const notInOrder = () =>
  new Problem(
    'CONFLICT',
    'The subscription is suspended or canceled, so no member can be activated; put it in order first.',
    { passing: true },
  )

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
  tx.afterCommit(() => authenticate.forget(`center:${membership.centerId}`, `actor:${membership.actorId}`))
}

export async function moveMembership(
  authenticate: Authenticator,
  tx: DirectoryTx,
  id: string | null,
  move: MembershipMove,
): Promise<MemberRow> {
  const own = membershipMoves[move].by === 'the member'
  const locked = id === null ? undefined : await lockMembership(tx, id, own)
  if (!locked)
    throw new Problem('NOT_FOUND', own ? 'You have no such membership.' : 'This center has no such membership.')
  await makeMove(
    authenticate,
    tx,
    { id: locked.id, centerId: locked.center_id, actorId: locked.actor_id },
    move,
    locked.status,
  )
  return findMember(tx, locked.id)
}

const invitationSeconds = 7 * 86_400

export interface Invitation {
  readonly email: string
  readonly name?: string | undefined
  readonly role: ActorRole
  /** Acceptance then makes the membership ACTIVE at once. */
  readonly approved: boolean
  readonly centerName: string
  readonly inviter: string
}

export interface InvitationNeeds {
  readonly directory: Directory
  readonly mail: Mail
  readonly config: Pick<Config, 'publicUrl'>
}

/**
 * Invites into the center of the transaction's caller. The person (if unknown until then), the membership, the invitation, the
 * mail and the audit entry are one transaction. Returns the membership's id.
 */
export async function inviteByMail(
  { directory, mail, config }: InvitationNeeds,
  tx: DirectoryTx | OperatorTx,
  { role, approved, centerName, inviter, ...person }: Invitation,
): Promise<string> {
  const email = person.email.trim().toLowerCase()
  // Only the directory's own role can read login addresses, and this transaction has another role.
  const known = await directory.identity({ ...tx.caller, centerId: 0 }, (own) =>
    actorOfLogin(own, emailIdentifier(email)),
  )
  const actorId = known ?? newUuid()
  if (!known) await insertActor(tx, { id: actorId, email, name: person.name ?? (email.split('@')[0] as string) })
  const id = newUuid()
  if (!(await insertMembership(tx, { id, actor_id: actorId, role }))) {
    throw new Problem('CONFLICT', 'This person has a membership in this center already.')
  }
  const token = newToken('csi')
  await insertInvitation(tx, {
    hash: hashToken(token),
    membership_id: id,
    approved,
    expires_at: secondsFromNow(invitationSeconds),
  })
  await mail.queue(tx, {
    to: email,
    subject: `${centerName} invites you`,
    text: `${inviter} invites you to ${centerName} as ${role}.\n\nAccept within seven days:\n\n${config.publicUrl}/invitations/${token}\n\nIf you did not expect this, ignore this message: nothing happens without you.\n`,
  })
  await audit(tx, {
    type: 'membership.transitioned',
    action: 'invite',
    target: { type: 'membership', id: typedId('membership', id) },
    details: { from: null, to: 'INVITED', role },
  })
  return id
}
