/** Invitations by mail. What an inviter learns is what the inviter sent. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import { membershipMoves } from '@countersign/contract/moves.ts'
import { nameOfAddress } from '@countersign/contract/names.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { Directory, DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { requireRecipient, secondsOfDayLeft } from '../../../mail/recipients.ts'
import { actorOfLogin, emailIdentifier } from '../auth/api.ts'
import {
  countInvitation,
  insertActor,
  insertInvitation,
  insertMembership,
  type LockedMembership,
  lockByAddress,
  restart,
  withdrawInvitations,
} from './queries.ts'

export const invitationSeconds = 7 * 86_400

export interface Invitation {
  readonly email: string
  readonly name?: string | undefined
  /** The highest first. */
  readonly roles: readonly ActorRole[]
  /** Acceptance then makes the membership ACTIVE at once. */
  readonly approved: boolean
  /** A person who is a member already keeps that membership, and gets a link to accept a guardianship. */
  readonly guardian?: boolean
  readonly centerName: string
  readonly inviter: string
}

export interface InvitationNeeds {
  readonly directory: Directory
  readonly mail: Pick<Mail, 'queue'>
  readonly config: Pick<Config, 'publicUrl' | 'perCenter'>
}

type Tx = DirectoryTx | OperatorTx

export interface Invited {
  readonly membershipId: string
  readonly actorId: string
}

/**
 * Invites into the center of the transaction's caller. The person (if unknown until then), the membership, the invitation, the
 * mail and the audit entry are one transaction. A person who was invited, rejected or ended before keeps that membership.
 */
export async function inviteByMail(needs: InvitationNeeds, tx: Tx, invitation: Invitation): Promise<Invited> {
  const email = invitation.email.trim().toLowerCase()
  const name = invitation.name ?? nameOfAddress(email)
  // Only the directory's own role can read login addresses, and this transaction has another role.
  const known = await needs.directory.identity({ ...tx.caller, centerId: 0 }, (own) =>
    actorOfLogin(own, emailIdentifier(email)),
  )
  await requireInvitations(needs.config, tx)
  const earlier = await lockByAddress(tx, email, known)
  if (earlier && invitation.guardian && ['ACTIVE', 'PENDING'].includes(earlier.status)) {
    const to = { membershipId: earlier.id, email: earlier.address ?? email }
    await send(needs, tx, to, { ...invitation, approved: false })
    return { membershipId: earlier.id, actorId: earlier.actor_id }
  }
  if (earlier) {
    const { approved, ...again } = invitation
    // Whoever is invited already keeps the roles and waits for approval as before: this one approves a guardian only.
    const own =
      invitation.guardian && earlier.status === 'INVITED'
        ? { roles: earlier.roles }
        : { roles: invitation.roles, approved }
    await inviteAgain(needs, tx as DirectoryTx, earlier, { ...again, ...own, name })
    return { membershipId: earlier.id, actorId: earlier.actor_id }
  }
  const actorId = known ?? newUuid()
  if (!known) await insertActor(tx, { id: actorId, email, name })
  const membershipId = newUuid()
  await insertMembership(tx, { id: membershipId, actor_id: actorId, roles: invitation.roles, name, address: email })
  await send(needs, tx, { membershipId, email }, invitation)
  await note(tx, membershipId, { action: 'invite', from: null, roles: invitation.roles })
  return { membershipId, actorId }
}

/**
 * An administrator whom the inviter named by id only: until they accept, the center sees that id in place of the name and no
 * address. They are ACTIVE as soon as they accept.
 */
export async function inviteStranger(
  needs: InvitationNeeds,
  tx: DirectoryTx,
  person: { readonly id: string; readonly email: string | null },
  sender: Pick<Invitation, 'centerName' | 'inviter'>,
): Promise<Invited> {
  await requireInvitations(needs.config, tx)
  const [membershipId, roles] = [newUuid(), ['ADMIN'] as const]
  await insertMembership(tx, { id: membershipId, actor_id: person.id, roles, name: person.id, address: null })
  await send(needs, tx, { membershipId, email: person.email as string }, { ...sender, roles, approved: true })
  await note(tx, membershipId, { action: 'invite', from: null, roles })
  return { membershipId, actorId: person.id }
}

/** Sends the invitation of a locked membership again, with the same roles; `approved` as before. */
export async function reinvite(
  needs: InvitationNeeds,
  tx: DirectoryTx,
  membership: LockedMembership,
  sender: Pick<Invitation, 'centerName' | 'inviter'>,
): Promise<void> {
  await requireInvitations(needs.config, tx)
  const { address: email, roles, name } = membership
  if (email === null)
    throw new Problem(
      'CONFLICT',
      'This member has no email address, so no invitation can be sent. Invite the person with an email address instead.',
      { details: { reason: 'noAddress' } },
    )
  await inviteAgain(needs, tx, membership, { ...sender, email, roles, name })
}

async function inviteAgain(
  needs: InvitationNeeds,
  tx: DirectoryTx,
  { id, status, address }: LockedMembership,
  invitation: Omit<Invitation, 'approved' | 'name'> & { readonly name: string; readonly approved?: boolean },
): Promise<void> {
  if (!(membershipMoves.reinvite.from as readonly string[]).includes(status)) {
    throw new Problem(
      'CONFLICT',
      `This person already has a membership in this center, with the status ${status}. Change that membership instead.`,
      { details: { reason: 'isMember' } },
    )
  }
  // An earlier link must not accept the membership that starts again.
  const wasApproved = await withdrawInvitations(tx, id)
  const { roles, name, approved = wasApproved && status === 'INVITED' } = invitation
  await restart(tx, id, { roles, name })
  await send(needs, tx, { membershipId: id, email: address ?? invitation.email }, { ...invitation, approved })
  await note(tx, id, { action: 'reinvite', from: status, roles })
}

async function send(
  { mail, config }: InvitationNeeds,
  tx: Tx,
  to: { readonly membershipId: string; readonly email: string },
  { approved, roles, guardian, centerName, inviter }: Omit<Invitation, 'email' | 'name'>,
): Promise<void> {
  await requireRecipient(tx, to.email)
  const token = newToken('csi')
  await insertInvitation(tx, {
    hash: hashToken(token),
    membership_id: to.membershipId,
    approved,
    inviter,
    expires_at: secondsFromNow(invitationSeconds),
  })
  const url = `${config.publicUrl}/invitations/${token}`
  await mail.queue(tx, {
    to: to.email,
    ...(guardian
      ? { mail: 'guardianInvitation', facts: { centerName, inviter, url } }
      : { mail: 'invitation', facts: { centerName, inviter, role: roles.join(), url } }),
  })
}

const note = (
  tx: Tx,
  id: string,
  details: { action: 'invite' | 'reinvite'; from: string | null; roles: readonly ActorRole[] },
) =>
  audit(tx, {
    type: 'membership.transitioned',
    action: details.action,
    target: { type: 'membership', id: typedId('membership', id) },
    details: { from: details.from, to: 'INVITED', role: details.roles.join(', ') },
  })

/** A center that somebody founded for themselves, and that neither a partner nor a payment vouches for. */
const mostOfUnvouched = 50

async function requireInvitations({ perCenter }: InvitationNeeds['config'], tx: Tx): Promise<void> {
  const { invitations, vouched } = await countInvitation(tx)
  const most = vouched ? perCenter.maxInvitations : Math.min(mostOfUnvouched, perCenter.maxInvitations)
  if (invitations <= most) return
  const remedy = most < perCenter.maxInvitations ? 'subscribe to a plan' : 'ask the operator for more'
  throw new Problem(
    'RATE_LIMITED',
    `This center can send at most ${most} invitations a day. Wait until tomorrow (UTC), or ${remedy}.`,
    { details: { reason: 'invitations' }, retryAfter: secondsOfDayLeft() },
  )
}
