/** Sign-in and sessions: part 4.1 of the specification, and logout. */
import { Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, DateTime, Email, named, nullable, Phone } from './common.ts'
import { ActorRoleSchema, Destination, environments, MembershipStatusSchema, oneOf, TargetApp } from './enums.ts'
import { TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'

export const Membership = named('Membership', {
  id: TypedId('membership', 'Membership id'),
  centerId: CenterId,
  centerName: Type.String(),
  centerDomain: CenterDomain,
  role: ActorRoleSchema,
  status: MembershipStatusSchema,
  invitedAt: DateTime,
  endedAt: nullable(DateTime),
})

export const AuthSession = named('AuthSession', {
  accessToken: Type.String({ description: 'JWT; send it as `Authorization: Bearer`' }),
  refreshToken: Type.String({ description: 'Opaque; each use replaces it' }),
  expiresIn: Type.Integer({ description: 'Lifetime of the access token in seconds', examples: [900] }),
  actor: named('SessionActor', { id: ActorId, email: Type.String(), name: Type.String(), role: ActorRoleSchema }),
  center: nullable(named('SessionCenter', { id: CenterId, name: Type.String(), domain: CenterDomain })),
  destination: Destination,
})

const { refreshToken: _, ...sessionFields } = AuthSession.properties

const BrowserSession = named(
  'BrowserSession',
  {
    ...sessionFields,
    operator: Type.Boolean({ description: 'Whether operations of platform operators are open to it' }),
    environment: oneOf('EnvironmentName', environments, 'What the operator calls this installation'),
  },
  {
    description:
      'The refresh token is in the cookie `refresh_token`, in production `__Host-refresh_token`, which no script can read',
  },
)

export const Password = Type.String({ minLength: 1, maxLength: 1024, examples: ['correct horse battery staple'] })
/** Why the requested center, or the one entered before, cannot be entered. */
export const standingErrors = ['NO_MEMBERSHIP', 'MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_ENDED', 'CENTER_SUSPENDED'] as const
/** As long as a body can be: a token of any length gets 401, not a validation error that describes tokens. */
export const OpaqueToken = Type.String({ minLength: 1, maxLength: 1_048_576 })
const signIn = { tag: 'Sign-in', store: 'identity' } as const
const shared = { ...signIn, surface: 'platform' } as const
const anyone = { kind: 'public' } as const
/** A browser calls these at another address, and its scripts never see the refresh token. */
const inBrowser = { byCookie: true, replies: { 200: BrowserSession } } as const

export const Credentials = named(
  'Credentials',
  {
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    password: Password,
    centerDomain: Type.Optional(CenterDomain),
  },
  {
    examples: [{ email: 'admin@haneul.example', password: 'correct horse battery staple', centerDomain: 'haneul' }],
  },
)

const NewBrowserSession = named(
  'NewBrowserSession',
  {
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    password: Type.Optional(Password),
    centerDomain: Type.Optional(CenterDomain),
    refreshToken: Type.Optional(OpaqueToken),
  },
  {
    examples: [{ email: 'admin@haneul.example', password: 'correct horse battery staple' }],
  },
)

export const login = definition({
  ...signIn,
  mounts: [
    { access: anyone, body: Credentials },
    {
      ...inBrowser,
      id: 'auth.startSession',
      access: anyone,
      path: '/auth/session',
      summary: 'Start the session of a browser, with the refresh token in a cookie',
      description:
        'Send credentials as to `POST /api/auth/login`, or the `refreshToken` of any other sign-in: that token is spent, and its successor is in the cookie. `auth_token` is set too. The limit is that of `POST /api/auth/login`.',
      body: NewBrowserSession,
      errors: [
        'INVALID_EMAIL',
        'INVALID_CREDENTIALS',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'CENTER_NOT_FOUND',
        ...standingErrors,
      ],
    },
  ],
  id: 'auth.login',
  method: 'POST',
  path: '/auth/login',
  rate: 'login',
  summary: 'Sign in by email or phone',
  description:
    'Send `email` or `phone`, not both. With `centerDomain` the session enters that center; without it, `destination` names the page to show next. The reply also sets the session cookie `auth_token`. The limit is five attempts in 15 minutes per account and IP address; a successful login resets it.',
  replies: { 200: AuthSession },
  errors: ['INVALID_EMAIL', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'CENTER_NOT_FOUND', ...standingErrors],
})

const CurrentActor = named('CurrentActor', {
  actorId: ActorId,
  email: Type.String(),
  name: Type.String(),
  role: ActorRoleSchema,
  centerId: nullable(CenterId),
  centerDomain: nullable(CenterDomain),
  authorizedDomains: Type.Array(CenterDomain),
  memberships: Type.Array(Membership),
})

export const me = operation({
  ...shared,
  id: 'auth.getMe',
  method: 'GET',
  path: '/auth/me',
  access: { kind: 'actor', center: 'if-entered', confined: true },
  summary: 'Get the signed-in person and the centers that they may enter',
  replies: { 200: CurrentActor },
})

const person = { kind: 'actor', center: 'optional', confined: true } as const

export const switchCenter = definition({
  ...signIn,
  mounts: [
    { access: person },
    {
      ...inBrowser,
      id: 'auth.switchSession',
      access: person,
      path: '/auth/session/center',
      summary: 'Enter another center in a browser; an ACTIVE membership is required',
      description: 'Works as `POST /api/auth/switch-center`, and keeps the refresh token in the cookie.',
    },
  ],
  id: 'auth.switchCenter',
  method: 'POST',
  path: '/auth/switch-center',
  summary: 'Enter another center; an ACTIVE membership is required',
  description:
    'The server starts a new session in that center and ends the current one. Use the new tokens afterwards. A session that began with OpenID Connect enters only the centers of its provider; others are `FORBIDDEN`.',
  body: named('CenterSwitch', { centerId: CenterId }, { examples: [{ centerId: 1 }] }),
  replies: { 200: AuthSession },
  errors: ['FORBIDDEN', ...standingErrors],
})

export const refreshToken = definition({
  ...signIn,
  mounts: [
    {
      access: anyone,
      body: named('RefreshRequest', { refreshToken: OpaqueToken }, { examples: [{ refreshToken: 'csr_3vB1…' }] }),
    },
    {
      ...inBrowser,
      id: 'auth.refreshSession',
      access: anyone,
      path: '/auth/session/refresh',
      summary: 'Exchange the refresh token in the cookie for new tokens',
      description:
        'The request must come from the origin of this server. Two tabs that refresh within 10 seconds get the same successor.',
      errors: ['UNAUTHORIZED', 'FORBIDDEN', ...standingErrors],
    },
  ],
  id: 'auth.refreshToken',
  method: 'POST',
  path: '/auth/refresh-token',
  rate: 'token',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'Each use replaces the refresh token. Two uses within 10 seconds get the same successor; any later use of a replaced token ends the whole session.',
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', ...standingErrors],
})

export const createSsoToken = operation({
  ...shared,
  id: 'auth.createSsoToken',
  method: 'POST',
  path: '/auth/sso/token',
  access: { kind: 'actor', center: 'required' },
  summary: 'Create a single-use token for signing in to a companion application',
  description: 'The token is valid for 60 seconds. The application redeems it with `POST /api/auth/sso/verify`.',
  body: named('NewSsoToken', { targetApp: TargetApp }, { examples: [{ targetApp: 'lms' }] }),
  replies: { 200: named('SsoToken', { token: Type.String(), expiresAt: DateTime }) },
})

const SsoIdentity = named('SsoIdentity', {
  actorId: ActorId,
  email: Type.String(),
  name: Type.String(),
  role: ActorRoleSchema,
  centerId: CenterId,
  centerDomain: CenterDomain,
  targetApp: TargetApp,
  memberships: Type.Array(Membership),
})

export const verifySsoToken = operation({
  ...shared,
  id: 'auth.verifySsoToken',
  method: 'POST',
  path: '/auth/sso/verify',
  access: { kind: 'public' },
  rate: 'token',
  summary: 'Redeem a single-use token',
  description:
    'The token is the credential. It works once, within 60 seconds. A request with another `targetApp` than the token has is refused and does not use the token up.',
  body: named(
    'SsoVerification',
    { token: OpaqueToken, targetApp: Type.Optional(TargetApp) },
    { examples: [{ token: 'cst_9kQ2…', targetApp: 'lms' }] },
  ),
  replies: { 200: SsoIdentity },
  errors: ['UNAUTHORIZED', ...standingErrors],
})

export const logout = operation({
  ...shared,
  id: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  access: { kind: 'actor', center: 'optional', confined: true },
  summary: 'End this session, its refresh token and its cookie',
  replies: { 204: null },
})
