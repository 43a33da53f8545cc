/** Sign-in and sessions: part 4.1 of the specification, and logout. */
import { Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, DateTime, Email, named, nullable, Phone } from './common.ts'
import { ActorRoleSchema, Destination, MembershipStatusSchema, TargetApp } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

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

export const Password = Type.String({ minLength: 1, maxLength: 1024, examples: ['correct horse battery staple'] })
/** Why the requested center, or the one entered before, cannot be entered. */
export const standingErrors = ['NO_MEMBERSHIP', 'MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_ENDED', 'CENTER_SUSPENDED'] as const
/** As long as a body can be: a token of any length gets 401, not a validation error that describes tokens. */
export const OpaqueToken = Type.String({ minLength: 1, maxLength: 1_048_576 })
const shared = { surface: 'platform', tag: 'Sign-in', store: 'identity' } as const

const Credentials = named(
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

export const login = operation({
  ...shared,
  id: 'auth.login',
  method: 'POST',
  path: '/auth/login',
  access: { kind: 'public' },
  rate: 'login',
  summary: 'Sign in by email or phone',
  description:
    'Send `email` or `phone`, not both. With `centerDomain` the session enters that center; without it, `destination` names the page to show next. The reply also sets the session cookie `auth_token`. The limit is five attempts in 15 minutes per account and IP address; a successful login resets it.',
  body: Credentials,
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

export const switchCenter = operation({
  ...shared,
  id: 'auth.switchCenter',
  method: 'POST',
  path: '/auth/switch-center',
  access: { kind: 'actor', center: 'optional', confined: true },
  summary: 'Enter another center; an ACTIVE membership is required',
  description:
    'The server starts a new session in that center and ends the current one. Use the new tokens afterwards. A session that began with OpenID Connect enters only the centers of its provider; others are `FORBIDDEN`.',
  body: named('CenterSwitch', { centerId: CenterId }, { examples: [{ centerId: 1 }] }),
  replies: { 200: AuthSession },
  errors: ['FORBIDDEN', ...standingErrors],
})

export const refreshToken = operation({
  ...shared,
  id: 'auth.refreshToken',
  method: 'POST',
  path: '/auth/refresh-token',
  access: { kind: 'public' },
  rate: 'token',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'Each use replaces the refresh token. Two uses within 10 seconds get the same successor; any later use of a replaced token ends the whole session.',
  body: named('RefreshRequest', { refreshToken: OpaqueToken }, { examples: [{ refreshToken: 'csr_3vB1…' }] }),
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
