/** Invitations to act for a partner: made and revoked by its PARTNER_ADMINs, accepted with the token in the mail. */
import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { PartnerRole } from '@countersign/contract/enums.ts'
import { nameOfAddress } from '@countersign/contract/names.ts'
import type * as contract from '@countersign/contract/partner-invitations.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { IdentityTx, PartnerTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { requireRecipient } from '../../../mail/recipients.ts'
import { actorOfLogin, emailIdentifier } from '../../identity/auth/api.ts'
import * as queries from './invitation-queries.ts'
import { findPartner } from './queries.ts'

export interface PartnerInvitationNeeds {
  readonly mail: Pick<Mail, 'queue'>
  readonly config: Pick<Config, 'publicUrl'>
}

const invitationSeconds = 7 * 86_400
const mostOpen = 100

export const invitationOf = (row: queries.InvitationRow) => ({
  id: typedId('partnerInvitation', row.id),
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  invitedAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

const note = (
  tx: PartnerTx | IdentityTx,
  partnerId: string,
  action: AuditAction<'settings.updated'>,
  details: Readonly<Record<string, string>>,
  actorId?: string,
) =>
  audit(tx, {
    type: 'settings.updated',
    action,
    target: { type: 'partner', id: partnerId },
    details,
    ...(actorId !== undefined && { actorId }),
  })

export async function invite(
  { mail, config }: PartnerInvitationNeeds,
  { tx, body, principal }: Context<typeof contract.invitePartnerAccount.spec>,
) {
  const email = body.email.trim().toLowerCase()
  const partner = await findPartner(tx)
  await queries.withdraw(tx, email)
  if ((await queries.countOpen(tx)) >= mostOpen) {
    throw new Problem(
      'FORBIDDEN',
      `This partner already has ${mostOpen} open invitations, the maximum. Revoke one, or wait until one expires.`,
      { details: { reason: 'maxInvitations' } },
    )
  }
  await requireRecipient(tx, email)
  const token = newToken('csi')
  const row: queries.InvitationRow = {
    id: newUuid(),
    email,
    role: body.role,
    invited_by: principal.actorId,
    created_at: now(),
    expires_at: secondsFromNow(invitationSeconds),
  }
  await queries.insertInvitation(tx, row, hashToken(token))
  await mail.queue(tx, {
    to: email,
    mail: 'partnerInvitation',
    facts: {
      partnerName: partner.name,
      inviter: principal.name,
      role: body.role,
      url: `${config.publicUrl}/invitations/${token}`,
    },
  })
  await note(tx, tx.partnerId, 'invited', { invitation: typedId('partnerInvitation', row.id), role: body.role })
  return invitationOf(row)
}

export async function revoke(tx: PartnerTx, id: string): Promise<void> {
  const uuid = uuidOf('partnerInvitation', id)
  if (uuid === null || !(await queries.deleteInvitation(tx, uuid))) {
    throw new Problem(
      'NOT_FOUND',
      'This partner has no open invitation with this ID. List the invitations to find the ID.',
    )
  }
  await note(tx, tx.partnerId, 'invitation revoked', { invitation: id })
}

/**
 * Uses the invitation with this token, if there is one; `prove` verifies the address and sets the password of a person without
 * one. Throws, and leaves the invitation, where the person acts for a partner already.
 */
export async function acceptPartnerInvitation(
  authenticate: Authenticator,
  tx: IdentityTx,
  hash: Buffer,
  prove: (actorId: string, identifier: string) => Promise<void>,
): Promise<{ readonly partnerName: string } | null> {
  const invitation = await queries.takeInvitation(tx, hash)
  if (!invitation) return null
  const { email, role, partner_id: partnerId, partner_name: partnerName } = invitation
  const identifier = emailIdentifier(email)
  const known = await actorOfLogin(tx, identifier)
  const actorId = known ?? newUuid()
  if (!known) await queries.insertActor(tx, { id: actorId, email, name: nameOfAddress(email) })
  await prove(actorId, identifier)
  if (!(await queries.insertAccount(tx, { partner_id: partnerId, actor_id: actorId, role: role as PartnerRole }))) {
    throw new Problem(
      'CONFLICT',
      'Your account already belongs to a partner, and an account can belong to only one. Accept with another email address.',
      { details: { reason: 'otherPartner' } },
    )
  }
  await note(tx, partnerId, 'invitation accepted', { accountId: actorId, role }, actorId)
  tx.afterCommit(() => authenticate.forget(`actor:${actorId}`))
  return { partnerName }
}
