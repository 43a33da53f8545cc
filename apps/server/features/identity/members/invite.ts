import type { inviteMember } from '@countersign/contract/members.ts'
import type { Context } from '../../../http/route.ts'
import { type InvitationNeeds, inviteByMail } from './api.ts'
import { findMember, type MemberRow } from './queries.ts'

export async function invite(needs: InvitationNeeds, context: Context<typeof inviteMember.spec>): Promise<MemberRow> {
  const { tx, body, principal } = context
  const { email, role, name, approved = false } = body
  const { centerName } = principal.entered
  const id = await inviteByMail(needs, tx, { email, role, name, approved, centerName, inviter: principal.name })
  return findMember(tx, id)
}
