/** Sign-in and sessions: part 4.1 of the specification, and logout. */
import { Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, closed, DateTime, Email, nullable, Phone } from './common.ts'
import { ActorRoleSchema, Destination, MembershipStatusSchema, TargetApp } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const Membership = Type.Object(
  {
    id: TypedId('membership', 'Membership id'),
    centerId: CenterId,
    centerName: Type.String(),
    centerDomain: CenterDomain,
    role: ActorRoleSchema,
    status: MembershipStatusSchema,
    invitedAt: DateTime,
    endedAt: nullable(DateTime),
  },
  closed,
)

export const AuthSession = Type.Object(
  {
    accessToken: Type.String({ description: 'JWT; send it as `Authorization: Bearer`' }),
    refreshToken: Type.String({ description: 'Opaque; each use replaces it' }),
    expiresIn: Type.Integer({ description: 'Lifetime of the access token in seconds', examples: [900] }),
    actor: Type.Object({ id: ActorId, email: Type.String(), name: Type.String(), role: ActorRoleSchema }, closed),
    center: nullable(Type.Object({ id: CenterId, name: Type.String(), domain: CenterDomain }, closed)),
    destination: Destination,
  },
  closed,
)

const Password = Type.String({ minLength: 1, maxLength: 1024, examples: ['correct horse battery staple'] })
/** Why a center that was named, or entered earlier, cannot be entered now. */
const standingErrors = ['NO_MEMBERSHIP', 'MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_ENDED', 'CENTER_SUSPENDED'] as const
/** As long as a body can be: a token of any length is answered with 401, not with what a token looks like. */
const OpaqueToken = Type.String({ minLength: 1, maxLength: 1_048_576 })

export const login = operation({
  id: 'auth.login',
  surface: 'platform',
  method: 'POST',
  path: '/auth/login',
  tag: 'Sign-in',
  access: { kind: 'public' },
  store: 'identity',
  rate: 'login',
  summary: 'Sign in by email or phone',
  description:
    'Give `email` or `phone`, not both. With `centerDomain` you enter that center directly; without it, `destination` says where to go. Also sets the session cookie `auth_token`. Five attempts in 15 minutes per account and address; a success clears the count.',
  body: Type.Object(
    {
      email: Type.Optional(Email),
      phone: Type.Optional(Phone),
      password: Password,
      centerDomain: Type.Optional(CenterDomain),
    },
    {
      ...closed,
      examples: [{ email: 'admin@haneul.example', password: 'correct horse battery staple', centerDomain: 'haneul' }],
    },
  ),
  replies: { 200: AuthSession },
  errors: ['INVALID_EMAIL', 'INVALID_CREDENTIALS', 'CENTER_NOT_FOUND', ...standingErrors],
})

export const me = operation({
  id: 'auth.getMe',
  surface: 'platform',
  method: 'GET',
  path: '/auth/me',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'if-entered' },
  store: 'identity',
  summary: 'Who am I, and which centers may I enter',
  replies: {
    200: Type.Object(
      {
        actorId: ActorId,
        email: Type.String(),
        name: Type.String(),
        role: ActorRoleSchema,
        centerId: nullable(CenterId),
        centerDomain: nullable(CenterDomain),
        authorizedDomains: Type.Array(CenterDomain),
        memberships: Type.Array(Membership),
      },
      closed,
    ),
  },
})

export const switchCenter = operation({
  id: 'auth.switchCenter',
  surface: 'platform',
  method: 'POST',
  path: '/auth/switch-center',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'optional' },
  store: 'identity',
  summary: 'Enter another center with an ACTIVE membership',
  description: 'Starts a new session in the target center and ends the one that asked; use the new pair from here on.',
  body: Type.Object({ centerId: CenterId }, { ...closed, examples: [{ centerId: 1 }] }),
  replies: { 200: AuthSession },
  errors: standingErrors,
})

export const refreshToken = operation({
  id: 'auth.refreshToken',
  surface: 'platform',
  method: 'POST',
  path: '/auth/refresh-token',
  tag: 'Sign-in',
  access: { kind: 'public' },
  store: 'identity',
  rate: 'token',
  summary: 'Exchange a refresh token for a new pair',
  description:
    'Each use replaces the token. Two uses within 10 seconds get the same successor; any later use of a spent token ends the whole session.',
  body: Type.Object({ refreshToken: OpaqueToken }, { ...closed, examples: [{ refreshToken: 'csr_3vB1…' }] }),
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', ...standingErrors],
})

export const createSsoToken = operation({
  id: 'auth.createSsoToken',
  surface: 'platform',
  method: 'POST',
  path: '/auth/sso/token',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'required' },
  store: 'identity',
  summary: 'A single-use token to enter a companion app',
  body: Type.Object({ targetApp: TargetApp }, { ...closed, examples: [{ targetApp: 'lms' }] }),
  replies: { 200: Type.Object({ token: Type.String(), expiresAt: DateTime }, closed) },
})

export const verifySsoToken = operation({
  id: 'auth.verifySsoToken',
  surface: 'platform',
  method: 'POST',
  path: '/auth/sso/verify',
  tag: 'Sign-in',
  access: { kind: 'public' },
  store: 'identity',
  rate: 'token',
  summary: 'Consume a single-use token',
  description:
    'The token is the credential: it works once, for 60 seconds. A `targetApp` that differs from the token’s is refused and does not consume it.',
  body: Type.Object(
    { token: OpaqueToken, targetApp: Type.Optional(TargetApp) },
    { ...closed, examples: [{ token: 'cst_9kQ2…', targetApp: 'lms' }] },
  ),
  replies: {
    200: Type.Object(
      {
        actorId: ActorId,
        email: Type.String(),
        name: Type.String(),
        role: ActorRoleSchema,
        centerId: CenterId,
        centerDomain: CenterDomain,
        targetApp: TargetApp,
        memberships: Type.Array(Membership),
      },
      closed,
    ),
  },
  errors: ['UNAUTHORIZED', ...standingErrors],
})

export const logout = operation({
  id: 'auth.logout',
  surface: 'platform',
  method: 'POST',
  path: '/auth/logout',
  tag: 'Sign-in',
  access: { kind: 'actor', center: 'optional' },
  store: 'identity',
  summary: 'End this session, its refresh token and its cookie',
  replies: { 204: null },
})
