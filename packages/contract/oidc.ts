/** Sign-in by OpenID Connect. Not in the specification. */
import { Type } from 'typebox'
import { AuthSession, standingErrors } from './auth.ts'
import { CenterDomain, DateTime, Email, named } from './common.ts'
import { Accepted, MailedToken } from './entry.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Sign-in', store: 'identity' } as const
const anybody = { kind: 'public' } as const
const ProviderId = TypedId('signInProvider', 'Provider id')
const Ticket = Type.String({ minLength: 1, maxLength: 200, description: '`ticket` of the answer before' })
const bound =
  'It works in the browser that began the sign-in, which has the cookie `oidc_login` (`__Host-oidc_login` in production).'

export const listSignInOptions = operation({
  ...shared,
  id: 'auth.listSignInOptions',
  method: 'GET',
  path: '/auth/oidc/providers',
  access: anybody,
  summary: 'List the OpenID Connect providers with which members of a center sign in',
  query: Type.Object({ centerDomain: CenterDomain }),
  replies: {
    200: Type.Array(
      named('SignInOption', {
        id: ProviderId,
        name: Type.String(),
        url: Type.String({ description: 'The page from which the sign-in begins' }),
      }),
    ),
  },
  errors: ['MISSING_REQUIRED_FIELD', 'CENTER_NOT_FOUND'],
})

export const startOidcLogin = operation({
  ...shared,
  id: 'auth.startOidcLogin',
  method: 'POST',
  path: '/auth/oidc/start',
  access: anybody,
  summary: 'Begin to sign in by OpenID Connect',
  description:
    'Open `authorizationUrl` in the same browser within ten minutes: the reply sets the cookie `oidc_login`, to which the sign-in is bound.',
  body: named(
    'OidcStart',
    {
      providerId: ProviderId,
      centerDomain: CenterDomain,
      again: Type.Optional(
        Type.Boolean({
          description: 'The provider asks the person again, although they are signed in there, and states when it did',
        }),
      ),
    },
    { examples: [{ providerId: 'sip_01kz9x4q8hfx5r3v7t2b6n0m1c', centerDomain: 'haneul' }] },
  ),
  replies: { 200: named('OidcLogin', { authorizationUrl: Type.String(), expiresAt: DateTime }) },
  errors: ['NOT_FOUND', 'CENTER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
})

export const finishOidcLogin = operation({
  ...shared,
  id: 'auth.finishOidcLogin',
  method: 'POST',
  path: '/auth/oidc/callback',
  access: anybody,
  rate: 'token',
  summary: 'Sign in with what the provider returned to the browser',
  description: `${bound} An account that is linked gets a session, which enters only the centers of the provider and has no rights of a partner or an operator. Another account gets 202 and a ticket: link it with \`POST /api/auth/oidc/link\` or by mail.`,
  body: named(
    'OidcReturn',
    {
      providerId: ProviderId,
      query: Type.String({ minLength: 1, maxLength: 4096, description: 'The query of the redirect URI, unchanged' }),
    },
    { examples: [{ providerId: 'sip_01kz9x4q8hfx5r3v7t2b6n0m1c', query: 'code=…&state=…' }] },
  ),
  replies: {
    200: AuthSession,
    202: named('OidcUnlinked', { ticket: Type.String(), email: Email, provider: Type.String(), expiresAt: DateTime }),
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE', ...standingErrors],
})

export const linkOidcAccount = operation({
  ...shared,
  id: 'auth.linkOidcAccount',
  method: 'POST',
  path: '/auth/oidc/link',
  access: { kind: 'actor', center: 'optional' },
  summary: 'Link the account of the provider to yours',
  description: `You must have signed in by password or passkey within the last ten minutes, with the address that the provider states. ${bound}`,
  body: named('OidcLink', { ticket: Ticket }, { examples: [{ ticket: 'csl_…' }] }),
  replies: { 201: named('OidcLinked', { provider: Type.String(), email: Email }) },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
})

const OidcAccount = named('OidcAccount', {
  id: TypedId('oidcAccount', 'Id of the link'),
  provider: named('OidcAccountProvider', { id: ProviderId, name: Type.String(), issuer: Type.String() }),
  emailDomain: Type.String({ description: 'Of the address with which it was linked' }),
  linkedAt: DateTime,
})

export const listOidcAccounts = operation({
  ...shared,
  id: 'auth.listOidcAccounts',
  method: 'GET',
  path: '/auth/oidc/accounts',
  access: { kind: 'actor', center: 'optional' },
  summary: 'List the accounts of providers that are linked to yours, the oldest first',
  replies: { 200: Type.Array(OidcAccount) },
})

export const unlinkOidcAccount = operation({
  ...shared,
  id: 'auth.unlinkOidcAccount',
  method: 'DELETE',
  path: '/auth/oidc/accounts/{id}',
  access: { kind: 'actor', center: 'optional' },
  summary: 'Unlink an account of a provider from yours',
  description:
    'It no longer signs in, and your sessions that began with this provider end. A person without a password and a passkey sets a password first: the reply is 409.',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const mailOidcLink = operation({
  ...shared,
  id: 'auth.mailOidcLink',
  method: 'POST',
  path: '/auth/oidc/link/mail',
  access: anybody,
  rate: 'entry',
  summary: 'Send a link for linking the account of the provider',
  description: `The reply is the same whether or not the address has an account. ${bound}`,
  body: named('OidcMail', { ticket: Ticket }, { examples: [{ ticket: 'csl_…' }] }),
  replies: { 202: Accepted },
  errors: ['UNAUTHORIZED'],
})

export const confirmOidcLink = operation({
  ...shared,
  id: 'auth.confirmOidcLink',
  method: 'POST',
  path: '/auth/oidc/link/confirm',
  access: anybody,
  rate: 'token',
  summary: 'Link the account of the provider with the token from the email, and sign in',
  description: bound,
  body: named('OidcLinkConfirmation', { token: MailedToken }, { examples: [{ token: 'csm_…' }] }),
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', ...standingErrors],
})
