/** Signing in on a center's custom domain, through the host in `AUTH_URL` and back. These operations aren't in the specification. */
import { Type } from 'typebox'
import { AuthSession, standingErrors } from './auth.ts'
import { DateTime, described, named } from './common.ts'
import { MailedToken } from './entry.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Sign-in', method: 'POST', store: 'identity' } as const

export const startHandoff = operation({
  ...shared,
  id: 'auth.startHandoff',
  path: '/auth/handoff/start',
  access: { kind: 'public' },
  summary: 'Start signing in from a custom domain',
  description:
    "Call this on a center's custom domain, then open `url` in the same browser within ten minutes. The person signs in on the service's own host and returns to the custom domain. The response sets the `handoff` cookie, which ties the sign-in to this browser.",
  replies: {
    200: named(
      'Handoff',
      {
        url: Type.String({ description: 'The sign-in page to open.' }),
        expiresAt: described(DateTime, 'When the sign-in expires.'),
      },
      { description: 'Where to sign in for a custom domain.' },
    ),
  },
  errors: ['CENTER_NOT_FOUND'],
})

export const issueHandoffCode = operation({
  ...shared,
  id: 'auth.issueHandoffCode',
  path: '/auth/handoff/code',
  access: { kind: 'actor', center: 'optional', confined: true },
  summary: 'Create a code for the custom domain',
  description:
    'Returns the address that takes the signed-in person back to the custom domain. The address contains a code that can be used once, within 60 seconds, in the browser that started the sign-in.',
  body: named(
    'HandoffCodeRequest',
    { handoff: described(MailedToken, "The token from the sign-in page's address.", 'csh_4nWq8r') },
    { description: 'The sign-in that should return to a custom domain.', examples: [{ handoff: 'csh_…' }] },
  ),
  replies: {
    200: named(
      'HandoffCode',
      {
        url: Type.String({ description: 'The address on the custom domain to open.' }),
        expiresAt: described(DateTime, 'When the code expires.'),
      },
      { description: 'The address that leads back to the custom domain.' },
    ),
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', ...standingErrors],
})

export const redeemHandoff = operation({
  ...shared,
  id: 'auth.redeemHandoff',
  path: '/auth/handoff/redeem',
  access: { kind: 'public' },
  rate: 'token',
  summary: 'Sign in on a custom domain',
  description:
    "Starts a session with the code from the address. Call it on the custom domain, in the browser that started the sign-in. The session works only in that domain's center.",
  body: named(
    'HandoffRedemption',
    { token: described(MailedToken, 'The code from the address.', 'csb_5tYp1m') },
    { description: 'The code that starts a session on the custom domain.', examples: [{ token: 'csb_…' }] },
  ),
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', ...standingErrors],
})
