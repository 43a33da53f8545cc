/** Account recovery and invitations, and the children of a parent. The specification leaves these operations open. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { ActorId, CenterDomain, Email, named, nullable, Phone } from './common.ts'
import { MembershipStatusSchema } from './enums.ts'
import { operation } from './operation.ts'

export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 1024,
  description:
    'At least ten characters that are not blanks, not one of the most used passwords, not the email address and not the name of the center',
})
export const MailedToken = Type.String({ minLength: 1, maxLength: 512 })
export const Accepted = named('Accepted', { accepted: Type.Literal(true) })
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
  summary: 'Send a link for setting a new password',
  description:
    'Send `email` or `phone`. The reply is the same whether or not the account exists, and whether or not this server can send mail.',
  body: named(
    'PasswordResetRequest',
    { email: Type.Optional(Email), phone: Type.Optional(Phone) },
    { examples: [{ email: 'admin@haneul.example' }] },
  ),
  replies: { 202: Accepted },
})

export const resetPassword = operation({
  ...shared,
  id: 'auth.resetPassword',
  path: '/auth/password/reset',
  rate: 'entry',
  summary: 'Set a new password with the token from the email; all sessions of the account end',
  body: named(
    'PasswordReset',
    { token: MailedToken, password: NewPassword },
    { examples: [{ token: 'csp_…', password: 'a new password' }] },
  ),
  replies: { 204: null },
  errors: ['UNAUTHORIZED'],
})

export const acceptInvitation = operation({
  ...shared,
  id: 'auth.acceptInvitation',
  path: '/auth/invitations/accept',
  rate: 'entry',
  summary: 'Accept an invitation with the token from the email',
  description: 'Sets the password of a person who has none yet. An existing password does not change.',
  body: named(
    'InvitationAcceptance',
    { token: MailedToken, password: NewPassword },
    { examples: [{ token: 'csi_…', password: 'a new password' }] },
  ),
  replies: {
    200: named('AcceptedInvitation', {
      status: MembershipStatusSchema,
      centerDomain: nullable(CenterDomain),
      partnerName: nullable(Type.String({ description: 'Where the invitation is to act for a partner, of no center' })),
    }),
  },
  errors: ['UNAUTHORIZED', 'CONFLICT'],
})

const Child = named('Child', { actorId: ActorId, name: Type.String(), memberships: Type.Array(Membership) })

export const listChildren = operation({
  id: 'auth.listChildren',
  surface: 'platform',
  method: 'GET',
  path: '/auth/me/children',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'if-entered' },
  store: 'identity',
  summary: 'List the children linked to the signed-in person, with their memberships in all centers',
  replies: { 200: Type.Array(Child) },
})
