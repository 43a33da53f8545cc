/** Sign-in on the custom domain of a center: by way of the host of `AUTH_URL`, and back. Not in the specification. */
import { Type } from 'typebox'
import { AuthSession, standingErrors } from './auth.ts'
import { DateTime, named } from './common.ts'
import { MailedToken } from './entry.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Sign-in', method: 'POST', store: 'identity' } as const

export const startHandoff = operation({
  ...shared,
  id: 'auth.startHandoff',
  path: '/auth/handoff/start',
  access: { kind: 'public' },
  summary: 'Begin to sign in at the host of the service, from the custom domain of a center',
  description:
    'Call it on the custom domain. Open `url` in the same browser within ten minutes: the reply sets the cookie `handoff`, to which the way back is bound.',
  replies: { 200: named('Handoff', { url: Type.String(), expiresAt: DateTime }) },
  errors: ['CENTER_NOT_FOUND'],
})

export const issueHandoffCode = operation({
  ...shared,
  id: 'auth.issueHandoffCode',
  path: '/auth/handoff/code',
  access: { kind: 'actor', center: 'optional', confined: true },
  summary: 'Get the address that leads the signed-in person back to the custom domain',
  description: 'The code in the address is good for 60 seconds, once, in the browser that began.',
  body: named('HandoffCodeRequest', { handoff: MailedToken }, { examples: [{ handoff: 'csh_…' }] }),
  replies: { 200: named('HandoffCode', { url: Type.String(), expiresAt: DateTime }) },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', ...standingErrors],
})

export const redeemHandoff = operation({
  ...shared,
  id: 'auth.redeemHandoff',
  path: '/auth/handoff/redeem',
  access: { kind: 'public' },
  rate: 'token',
  summary: 'Start a session on the custom domain with the code of the address',
  description: 'Call it on the custom domain, in the browser that began. The session is good for that center only.',
  body: named('HandoffRedemption', { token: MailedToken }, { examples: [{ token: 'csb_…' }] }),
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', ...standingErrors],
})
