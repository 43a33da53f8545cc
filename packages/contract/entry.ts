/** Account recovery, invitations, and a guardian's children. The specification leaves these operations open. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { ActorId, CenterDomain, described, Email, named, nullable, Phone } from './common.ts'
import { MembershipStatusSchema } from './enums.ts'
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

export const acceptInvitation = operation({
  ...shared,
  id: 'auth.acceptInvitation',
  path: '/auth/invitations/accept',
  rate: 'entry',
  summary: 'Accept an emailed invitation',
  description:
    "Makes you a member of the center or partner that invited you. If you don't have a password yet, the one you send becomes your password; an existing password stays as it is. Next, sign in with `POST /api/auth/login`.",
  body: named(
    'InvitationAcceptance',
    { token: MailedToken, password: NewPassword },
    { description: 'The invitation to accept.', examples: [{ token: 'csi_…', password: 'a new password' }] },
  ),
  replies: {
    200: named(
      'AcceptedInvitation',
      {
        status: described(MembershipStatusSchema, "The membership's current state."),
        centerDomain: nullable(described(CenterDomain, "The center's subdomain. Null if a partner invited you.")),
        partnerName: nullable(
          Type.String({
            description: "The partner's name, if a partner invited you. Null otherwise.",
          }),
        ),
      },
      { description: "The center or partner that you're now a member of." },
    ),
  },
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
