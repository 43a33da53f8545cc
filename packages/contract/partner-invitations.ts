/** Invitations to act for a partner. The operation that the specification plans for this stays unavailable. */
import { Type } from 'typebox'
import { ActorId, DateTime, Email, named, PageQuery } from './common.ts'
import { PartnerRoleSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const PartnerInvitation = named('PartnerInvitation', {
  id: TypedId('partnerInvitation', 'Invitation id'),
  email: Type.String(),
  role: PartnerRoleSchema,
  invitedBy: ActorId,
  invitedAt: DateTime,
  expiresAt: DateTime,
})

const shared = {
  surface: 'platform',
  tag: 'Partners',
  store: 'partner',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
} as const

export const invitePartnerAccount = operation({
  ...shared,
  id: 'partnerInvitations.create',
  method: 'POST',
  path: '/partner/invitations',
  summary: 'Invite a person to act for this partner',
  description:
    'The person receives a link that is valid for seven days, and acts for the partner as soon as they accept it. The reply repeats what was sent, and is the same whether or not the person has an account. Another invitation to the same address replaces the one before. A person acts for one partner: whoever acts for another one cannot accept (409).',
  body: named(
    'NewPartnerInvitation',
    { email: Email, role: PartnerRoleSchema },
    { examples: [{ email: 'olga@franchise.example', role: 'PARTNER_OPERATOR' }] },
  ),
  replies: { 201: PartnerInvitation },
})

export const listPartnerInvitations = operation({
  ...shared,
  id: 'partnerInvitations.list',
  method: 'GET',
  path: '/partner/invitations',
  envelope: 'page',
  summary: 'List the open invitations to act for this partner, newest first',
  query: PageQuery,
  replies: { 200: PartnerInvitation },
})

export const revokePartnerInvitation = operation({
  ...shared,
  id: 'partnerInvitations.revoke',
  method: 'DELETE',
  path: '/partner/invitations/{id}',
  summary: 'Revoke an open invitation: its link stops working',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
