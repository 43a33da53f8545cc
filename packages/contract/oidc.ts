/** Signing in with OpenID Connect. These operations aren't in the specification. */
import { Type } from 'typebox'
import { AuthSession, standingErrors } from './auth.ts'
import { CenterDomain, DateTime, described, Email, named } from './common.ts'
import { Accepted, MailedToken } from './entry.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Sign-in', store: 'identity' } as const
const anybody = { kind: 'public' } as const
const ProviderId = TypedId('signInProvider', "The sign-in provider's ID.")
const Ticket = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The `ticket` from the previous response.',
  examples: ['csl_8hT3kP'],
})
const bound =
  'This works only in the browser that started the sign-in, which has the `oidc_login` cookie (`__Host-oidc_login` in production).'

export const listSignInOptions = operation({
  ...shared,
  id: 'auth.listSignInOptions',
  method: 'GET',
  path: '/auth/oidc/providers',
  access: anybody,
  summary: "List a center's sign-in providers",
  description:
    "Returns the OpenID Connect providers that a center's members can sign in with. Open a provider's `url` to start.",
  query: Type.Object({ centerDomain: described(CenterDomain, "The center's subdomain.") }),
  replies: {
    200: Type.Array(
      named(
        'SignInOption',
        {
          id: ProviderId,
          name: Type.String({ description: "The provider's name, as on the button." }),
          url: Type.String({ description: 'The page that starts the sign-in.' }),
        },
        { description: "A provider that a center's members sign in with." },
      ),
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
  summary: 'Start signing in with OpenID Connect',
  description:
    "Returns the URL of the provider's page. Open it in the same browser within ten minutes. The response sets the `oidc_login` cookie, which ties the sign-in to this browser.",
  body: named(
    'OidcStart',
    {
      providerId: ProviderId,
      centerDomain: described(CenterDomain, 'The subdomain of the center to sign in to.'),
      again: Type.Optional(
        Type.Boolean({
          description:
            "Whether the provider must ask the person to sign in again, even if they're already signed in there, and report when they signed in.",
        }),
      ),
    },
    {
      description: 'Which provider to sign in with.',
      examples: [{ providerId: 'sip_01kz9x4q8hfx5r3v7t2b6n0m1c', centerDomain: 'haneul' }],
    },
  ),
  replies: {
    200: named(
      'OidcLogin',
      {
        authorizationUrl: Type.String({ description: "The provider's page to open." }),
        expiresAt: described(DateTime, 'When the sign-in expires.'),
      },
      { description: 'Where to sign in.' },
    ),
  },
  errors: ['NOT_FOUND', 'CENTER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
})

export const finishOidcLogin = operation({
  ...shared,
  id: 'auth.finishOidcLogin',
  method: 'POST',
  path: '/auth/oidc/callback',
  access: anybody,
  rate: 'token',
  summary: 'Finish signing in with OpenID Connect',
  description: `Signs in with what the provider returned to the browser. If the account is linked, the response is a session that can enter only the provider's centers and has no partner or operator rights. Otherwise, it's 202 with a ticket: use the ticket to link the account with \`POST /api/auth/oidc/link\` or by email. ${bound}`,
  body: named(
    'OidcReturn',
    {
      providerId: ProviderId,
      query: Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'The query string of the redirect URI, unchanged.',
        examples: ['code=9fK2mQ&state=7xLpQ2'],
      }),
    },
    {
      description: 'What the provider returned to the browser.',
      examples: [{ providerId: 'sip_01kz9x4q8hfx5r3v7t2b6n0m1c', query: 'code=…&state=…' }],
    },
  ),
  replies: {
    200: AuthSession,
    202: named(
      'OidcUnlinked',
      {
        ticket: Type.String({ description: 'The ticket to send when you link the account.' }),
        email: described(Email, 'The email address that the provider gave.'),
        provider: Type.String({ description: "The provider's name." }),
        expiresAt: described(DateTime, 'When the ticket expires.'),
      },
      { description: "A provider account that isn't linked yet." },
    ),
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE', ...standingErrors],
})

export const linkOidcAccount = operation({
  ...shared,
  id: 'auth.linkOidcAccount',
  method: 'POST',
  path: '/auth/oidc/link',
  access: { kind: 'actor', center: 'optional' },
  summary: 'Link a provider account',
  description: `Links the provider's account to yours, so that you can sign in with it. You must have signed in with a password or passkey in the last ten minutes, and your email address must be the one that the provider gave. ${bound}`,
  body: named(
    'OidcLink',
    { ticket: Ticket },
    { description: 'The provider account to link.', examples: [{ ticket: 'csl_…' }] },
  ),
  replies: {
    201: named(
      'OidcLinked',
      {
        provider: Type.String({ description: "The provider's name." }),
        email: described(Email, 'The email address that the account was linked with.'),
      },
      { description: 'The provider account that was linked.' },
    ),
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
})

const OidcAccount = named(
  'OidcAccount',
  {
    id: TypedId('oidcAccount', "The linked account's ID."),
    provider: named(
      'OidcAccountProvider',
      {
        id: ProviderId,
        name: Type.String({ description: "The provider's name." }),
        issuer: Type.String({ description: "The provider's issuer identifier." }),
      },
      { description: 'The provider that the account belongs to.' },
    ),
    emailDomain: Type.String({ description: 'The domain of the email address that the account was linked with.' }),
    linkedAt: described(DateTime, 'When the account was linked.'),
  },
  { description: 'A provider account that is linked to yours.' },
)

export const listOidcAccounts = operation({
  ...shared,
  id: 'auth.listOidcAccounts',
  method: 'GET',
  path: '/auth/oidc/accounts',
  access: { kind: 'actor', center: 'optional' },
  summary: 'List linked provider accounts',
  description: 'Returns the provider accounts that are linked to yours, oldest first.',
  replies: { 200: Type.Array(OidcAccount) },
})

export const unlinkOidcAccount = operation({
  ...shared,
  id: 'auth.unlinkOidcAccount',
  method: 'DELETE',
  path: '/auth/oidc/accounts/{id}',
  access: { kind: 'actor', center: 'optional' },
  summary: 'Unlink a provider account',
  description:
    'Unlinks the account: you can no longer sign in with it, and your sessions that began with this provider end. If you have neither a password nor a passkey, the response is 409: set a password first.',
  params: IdParam('oidcAccount'),
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
  summary: 'Email a link for linking a provider account',
  description: `Emails you a link for linking the provider's account. The response is the same whether or not the address has an account. ${bound} Next, call \`POST /api/auth/oidc/link/confirm\`.`,
  body: named(
    'OidcMail',
    { ticket: Ticket },
    { description: 'The provider account to link by email.', examples: [{ ticket: 'csl_…' }] },
  ),
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
  summary: 'Confirm linking a provider account',
  description: `Links the provider's account with the token from the email, and signs you in. ${bound}`,
  body: named(
    'OidcLinkConfirmation',
    { token: MailedToken },
    { description: 'The token that links the provider account.', examples: [{ token: 'csm_…' }] },
  ),
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', ...standingErrors],
})
