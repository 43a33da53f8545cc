/** Inviting: the person, the membership, the invitation and the mail are one transaction. */
import type { inviteMember } from '@countersign/contract/members.ts'
import { hashToken, newToken } from '../../access/opaque-token.ts'
import { audit } from '../../audit/audit.ts'
import type { Context } from '../../http/route.ts'
import { secondsFromNow } from '../../lib/clock.ts'
import { newUuid, typedId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { Services } from '../../services.ts'
import { emailIdentifier } from '../auth/identifier.ts'
import {
  findActorByLogin,
  findMember,
  insertActor,
  insertInvitation,
  insertMembership,
  type MemberRow,
} from './queries.ts'

const invitationSeconds = 7 * 86_400

export async function invite(services: Services, context: Context<typeof inviteMember.spec>): Promise<MemberRow> {
  const { tx, body, principal, requestId } = context
  const email = body.email.trim().toLowerCase()
  // Who signs in with this address is known only to the directory's own role, which this transaction is not.
  const known = await services.directory.identity({ requestId, actorId: principal.actorId, centerId: 0 }, (own) =>
    findActorByLogin(own, emailIdentifier(email)),
  )
  const actorId = known?.actor_id ?? newUuid()
  if (!known) await insertActor(tx, { id: actorId, email, name: body.name ?? (email.split('@')[0] as string) })
  const membershipId = newUuid()
  if (!(await insertMembership(tx, { id: membershipId, actor_id: actorId, role: body.role }))) {
    throw new Problem('CONFLICT', 'This person has a membership in this center already.')
  }
  const token = newToken('csi')
  await insertInvitation(tx, {
    hash: hashToken(token),
    membership_id: membershipId,
    approved: body.approved ?? false,
    expires_at: secondsFromNow(invitationSeconds),
  })
  const { centerName } = principal.entered
  await services.mail.queue(tx, {
    to: email,
    subject: `${centerName} invites you`,
    text: `${principal.name} invites you to ${centerName} as ${body.role}.\n\nAccept within seven days:\n\n${services.config.publicUrl}/invitations/${token}\n\nIf you did not expect this, ignore this message: nothing happens without you.\n`,
  })
  await audit(tx, {
    type: 'membership.transitioned',
    action: 'invite',
    target: { type: 'membership', id: typedId('membership', membershipId) },
    details: { from: null, to: 'INVITED', role: body.role },
  })
  return findMember(tx, membershipId)
}
