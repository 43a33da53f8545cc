/** Ways in beside the password: invitations, forgotten passwords; and a parent's children. Ours. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { ActorId, CenterDomain, closed, Email, Phone } from './common.ts'
import { MembershipStatusSchema } from './enums.ts'
import { operation } from './operation.ts'

const NewPassword = Type.String({ minLength: 10, maxLength: 1024, description: 'At least ten characters' })
const MailedToken = Type.String({ minLength: 1, maxLength: 512 })
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
  summary: 'Send a link to set a new password',
  description: 'The answer is the same whether or not there is such an account.',
  body: Type.Object(
    { email: Type.Optional(Email), phone: Type.Optional(Phone) },
    { ...closed, examples: [{ email: 'admin@haneul.example' }] },
  ),
  replies: { 202: Type.Object({ accepted: Type.Literal(true) }, closed) },
})

export const resetPassword = operation({
  ...shared,
  id: 'auth.resetPassword',
  path: '/auth/password/reset',
  rate: 'entry',
  summary: 'Set a new password with a mailed token; all sessions end',
  body: Type.Object(
    { token: MailedToken, password: NewPassword },
    { ...closed, examples: [{ token: 'csp_…', password: 'a new password' }] },
  ),
  replies: { 204: null },
  errors: ['UNAUTHORIZED'],
})

export const acceptInvitation = operation({
  ...shared,
  id: 'auth.acceptInvitation',
  path: '/auth/invitations/accept',
  rate: 'entry',
  summary: 'Accept an invitation with a mailed token',
  description: 'Sets the password of a person who has none yet; an existing password stays as it is.',
  body: Type.Object(
    { token: MailedToken, password: NewPassword },
    { ...closed, examples: [{ token: 'csi_…', password: 'a new password' }] },
  ),
  replies: { 200: Type.Object({ status: MembershipStatusSchema, centerDomain: CenterDomain }, closed) },
  errors: ['UNAUTHORIZED', 'CONFLICT'],
})

export const listChildren = operation({
  id: 'auth.listChildren',
  surface: 'platform',
  method: 'GET',
  path: '/auth/me/children',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'if-entered' },
  store: 'identity',
  summary: 'The children linked to you, with their memberships over all centers',
  replies: {
    200: Type.Array(
      Type.Object({ actorId: ActorId, name: Type.String(), memberships: Type.Array(Membership) }, closed),
    ),
  },
})
