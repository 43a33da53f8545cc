/** The people who act for a partner: invitations, accounts and their end. The operation that the specification plans for inviting isn't available. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, Email, named, nullable, PageQuery } from './common.ts'
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

/** Whoever makes a PARTNER_ADMIN could otherwise confirm in their name what asks for a step-up. */
const makesAdmin = { within: 'keys', when: { members: ['role'], among: ['PARTNER_ADMIN'] } } as const

export const invitePartnerAccount = operation({
  ...shared,
  id: 'partnerInvitations.create',
  stepUp: makesAdmin,
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

const PartnerAccount = named(
  'PartnerAccount',
  {
    actorId: described(ActorId, "The person's actor ID."),
    name: Type.String({ description: "The person's name." }),
    email: nullable(Type.String({ description: "The person's email address. Null if they have none." })),
    role: PartnerRoleSchema,
    self: Type.Boolean({ description: 'Whether this is your own account.' }),
    last: Type.Boolean({
      description:
        "Whether this is the partner's only PARTNER_ADMIN, whose role can't be changed and who can't be removed.",
    }),
  },
  { description: 'A person who acts for a partner.' },
)

const params = Type.Object({ actorId: described(ActorId, "The person's actor ID, as in the list of accounts.") })

export const listPartnerAccounts = operation({
  ...shared,
  access: { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] },
  id: 'partnerAccounts.list',
  method: 'GET',
  path: '/partner/accounts',
  envelope: 'page',
  summary: 'List partner accounts',
  description: 'Returns the people who act for this partner, in order of their names.',
  query: PageQuery,
  replies: { 200: PartnerAccount },
})

export const updatePartnerAccount = operation({
  ...shared,
  id: 'partnerAccounts.update',
  stepUp: makesAdmin,
  method: 'PATCH',
  path: '/partner/accounts/{actorId}',
  summary: 'Change the role of a partner account',
  description:
    "Changes what a person may do for this partner, in all their sessions within a second. A person who becomes a PARTNER_OPERATOR can no longer invite, and the open invitations they sent stop working. The last PARTNER_ADMIN can't be made a PARTNER_OPERATOR: the response is 409.",
  params,
  body: named(
    'PartnerAccountPatch',
    { role: PartnerRoleSchema },
    { description: 'The new role.', examples: [{ role: 'PARTNER_OPERATOR' }] },
  ),
  replies: { 200: PartnerAccount },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const endPartnerAccount = operation({
  ...shared,
  id: 'partnerAccounts.end',
  stepUp: { within: 'keys' },
  method: 'DELETE',
  path: '/partner/accounts/{actorId}',
  summary: 'Remove a partner account',
  description:
    "Removes a person from this partner. All their sessions lose the partner's rights within a second; memberships in centers stay. Open invitations that the person sent stop working. Only another invitation lets the person act for the partner again. The last PARTNER_ADMIN can't be removed: the response is 409.",
  params,
  replies: { 204: null },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
