/** Invitations to act for a partner. The operation that the specification plans for this isn't available. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, Email, named, PageQuery } from './common.ts'
import { PartnerRoleSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const PartnerInvitation = named(
  'PartnerInvitation',
  {
    id: TypedId('partnerInvitation', "The invitation's ID."),
    email: Type.String({ description: 'The address that was invited.' }),
    role: PartnerRoleSchema,
    invitedBy: described(ActorId, 'The actor ID of the person who sent the invitation.'),
    invitedAt: described(DateTime, 'When the person was invited.'),
    expiresAt: described(DateTime, 'When the link stops working.'),
  },
  { description: 'An open invitation to act for a partner.' },
)

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
  summary: 'Invite a person to a partner',
  description:
    "Emails a link that is valid for seven days. The person can act for the partner as soon as they accept. The response repeats what you sent, and is the same whether or not the person has an account. Another invitation to the same address replaces the previous one. A person can act for only one partner: someone who already acts for another partner can't accept (409).",
  body: named(
    'NewPartnerInvitation',
    { email: described(Email, 'The address to invite.', 'olga@franchise.example'), role: PartnerRoleSchema },
    { description: 'The person to invite.', examples: [{ email: 'olga@franchise.example', role: 'PARTNER_OPERATOR' }] },
  ),
  replies: { 201: PartnerInvitation },
})

export const listPartnerInvitations = operation({
  ...shared,
  id: 'partnerInvitations.list',
  method: 'GET',
  path: '/partner/invitations',
  envelope: 'page',
  summary: 'List partner invitations',
  description: 'Returns the open invitations to act for this partner, newest first.',
  query: PageQuery,
  replies: { 200: PartnerInvitation },
})

export const revokePartnerInvitation = operation({
  ...shared,
  id: 'partnerInvitations.revoke',
  method: 'DELETE',
  path: '/partner/invitations/{id}',
  summary: 'Revoke a partner invitation',
  description: 'Revokes an open invitation: its link stops working.',
  params: IdParam('partnerInvitation'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
