/** Account recovery, invitations, and a guardian's children. The specification leaves these operations open. */

import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterTerms } from './center-settings.ts'
import { ActorId, CenterDomain, DateTime, described, Email, named, nullable, Phone, PlainName } from './common.ts'
import { ActorRoleSchema, MembershipStatusSchema, PartnerRoleSchema } from './enums.ts'
import { operation } from './operation.ts'

export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 1024,
  description:
    "At least ten characters that aren't spaces. It can't be one of the most common passwords, the email address or the center's name.",
  examples: ['plum-lantern-42-harbor'],
})
export const MailedToken = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The token from the link in the email.',
  examples: ['csi_9fK2mQ7x'],
})
export const Accepted = named(
  'Accepted',
  {
    accepted: Type.Literal(true, { description: 'Always true: the request was accepted.' }),
  },
  { description: 'The request was accepted.' },
)
const shared = {
  surface: 'platform',
  tag: 'Sign-in',
  method: 'POST',
  access: { kind: 'public' },
  store: 'identity',
} as const

export const forgotPassword = operation({
  ...shared,
  id: 'auth.requestPasswordReset',
  path: '/auth/password/forgot',
  rate: 'entry',
  summary: 'Request a password reset',
  description:
    'Sends a link for setting a new password to the given `email` or `phone`. The response is the same whether or not the account exists, and whether or not this server can send email. Next, call `POST /api/auth/password/reset`.',
  body: named(
    'PasswordResetRequest',
    {
      email: Type.Optional(described(Email, "The account's email address.")),
      phone: Type.Optional(described(Phone, "The account's phone number, if the person signs in with one.")),
    },
    { description: 'The account whose password should be reset.', examples: [{ email: 'admin@haneul.example' }] },
  ),
  replies: { 202: Accepted },
})

export const resetPassword = operation({
  ...shared,
  id: 'auth.resetPassword',
  path: '/auth/password/reset',
  rate: 'entry',
  summary: 'Set a new password',
  description:
    "Sets a new password, using the token from the email. All of the account's sessions end, so sign in again afterwards.",
  body: named(
    'PasswordReset',
    { token: MailedToken, password: NewPassword },
    {
      description: 'The new password, with the token from the email.',
      examples: [{ token: 'csp_…', password: 'a new password' }],
    },
  ),
  replies: { 204: null },
  errors: ['UNAUTHORIZED'],
})

const InvitationToken = named(
  'InvitationToken',
  { token: MailedToken },
  { description: 'The invitation to read or accept.', examples: [{ token: 'csi_…' }] },
)
const CenterName = Type.String({ description: "The center's name. Null if a partner invited you." })
const PartnerName = Type.String({ description: "The partner's name. Null if a center invited you." })

export const readInvitation = operation({
  ...shared,
  id: 'auth.readInvitation',
  path: '/auth/invitations/read',
  rate: 'token',
  summary: 'Read an emailed invitation',
  description:
    'Returns who invited you, where to, and in which role, without using the link up. `hasAccount` is true if the invited address already signs in: then sign in and call `POST /api/auth/me/invitations/accept`; otherwise choose a password with `POST /api/auth/invitations/accept`. Only somebody who received the email has the token.',
  body: InvitationToken,
  replies: {
    200: named(
      'Invitation',
      {
        centerName: nullable(CenterName),
        partnerName: nullable(PartnerName),
        terms: nullable(
          described(CenterTerms, 'What the center calls its people and appointments. Null if a partner invited you.'),
        ),
        role: nullable(ActorRoleSchema),
        partnerRole: nullable(PartnerRoleSchema),
        guardian: Type.Boolean({ description: "Whether accepting also makes you a child's guardian." }),
        inviter: nullable(Type.String({ description: 'The name of the person who invited you. Null if unknown.' })),
        email: Type.String({ description: 'The address that was invited.' }),
        name: nullable(Type.String({ description: 'Your name in the invitation. Null if it has none.' })),
        hasAccount: Type.Boolean({ description: 'Whether an account signs in with this address.' }),
        expiresAt: described(DateTime, 'When the link stops working.'),
      },
      { description: 'An invitation, as its email describes it.' },
    ),
  },
  errors: ['UNAUTHORIZED'],
})

const AcceptedInvitation = named(
  'AcceptedInvitation',
  {
    status: described(MembershipStatusSchema, "The membership's current state."),
    centerDomain: nullable(described(CenterDomain, "The center's subdomain. Null if a partner invited you.")),
    centerName: nullable(CenterName),
    partnerName: nullable(PartnerName),
  },
  { description: "The center or partner that you're now a member of." },
)

export const acceptInvitation = operation({
  ...shared,
  id: 'auth.acceptInvitation',
  path: '/auth/invitations/accept',
  rate: 'entry',
  summary: 'Accept an emailed invitation',
  description:
    "Makes you a member of the center or partner that invited you. If you don't have a password yet, the one you send becomes your password, and `name` becomes your name; an existing password and name stay as they are. Next, sign in with `POST /api/auth/login`.",
  body: named(
    'InvitationAcceptance',
    {
      token: MailedToken,
      password: NewPassword,
      name: Type.Optional(described(PlainName, 'Your name, as others will see it.', 'Ian Han')),
    },
    { description: 'The invitation to accept.', examples: [{ token: 'csi_…', password: 'a new password' }] },
  ),
  replies: { 200: AcceptedInvitation },
  errors: ['UNAUTHORIZED', 'CONFLICT'],
})

export const acceptOwnInvitation = operation({
  ...shared,
  id: 'auth.acceptOwnInvitation',
  path: '/auth/me/invitations/accept',
  access: { kind: 'actor', center: 'optional' },
  rate: 'token',
  summary: 'Accept an emailed invitation with your account',
  description:
    'Makes you a member of the center or partner that invited you, without a new password. The invited address has to be yours: if the invitation is for another account, the response is 409 and the link stays valid. Your session goes on, and can enter the center with `POST /api/auth/switch-center`.',
  body: InvitationToken,
  replies: { 200: AcceptedInvitation },
  errors: ['UNAUTHORIZED', 'CONFLICT'],
})

const Child = named(
  'Child',
  {
    actorId: described(ActorId, "The child's actor ID."),
    name: Type.String({ description: "The child's name." }),
    memberships: Type.Array(Membership, { description: "The child's memberships in all centers." }),
  },
  { description: 'A child, with their memberships.' },
)

export const listChildren = operation({
  id: 'auth.listChildren',
  surface: 'platform',
  method: 'GET',
  path: '/auth/me/children',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'if-entered' },
  store: 'identity',
  summary: 'List your children',
  description: 'Returns the children linked to you as a guardian, with their memberships in all centers.',
  replies: { 200: Type.Array(Child) },
})
