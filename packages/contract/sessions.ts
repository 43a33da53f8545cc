/** Sessions of browsers, whose refresh token no script can read, and the list of one's own sessions. */
import { Type } from 'typebox'
import { AuthSession, OpaqueToken, Password, standingErrors } from './auth.ts'
import { CenterDomain, CenterId, DateTime, Email, named, nullable, Phone } from './common.ts'
import { environments, oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const { refreshToken: _, ...sessionFields } = AuthSession.properties

export const BrowserSession = named(
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

const shared = { surface: 'platform', tag: 'Sign-in', store: 'identity' } as const
const byCookie = { ...shared, access: { kind: 'public' } } as const

export const startSession = operation({
  ...byCookie,
  id: 'auth.startSession',
  method: 'POST',
  path: '/auth/session',
  rate: 'login',
  summary: 'Start the session of a browser, with the refresh token in a cookie',
  description:
    'Send credentials as to `POST /api/auth/login`, or the `refreshToken` of any other sign-in: that token is spent, and its successor is in the cookie. `auth_token` is set too. The limit is that of `POST /api/auth/login`.',
  body: named(
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
  ),
  replies: { 200: BrowserSession },
  errors: ['INVALID_EMAIL', 'INVALID_CREDENTIALS', 'UNAUTHORIZED', 'FORBIDDEN', 'CENTER_NOT_FOUND', ...standingErrors],
})

export const refreshSession = operation({
  ...byCookie,
  id: 'auth.refreshSession',
  method: 'POST',
  path: '/auth/session/refresh',
  rate: 'token',
  summary: 'Exchange the refresh token in the cookie for new tokens',
  description:
    'The request must come from the origin of this server. Two tabs that refresh within 10 seconds get the same successor.',
  replies: { 200: BrowserSession },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', ...standingErrors],
})

export const switchSession = operation({
  ...shared,
  id: 'auth.switchSession',
  method: 'POST',
  path: '/auth/session/center',
  access: { kind: 'actor', center: 'optional', confined: true },
  summary: 'Enter another center in a browser; an ACTIVE membership is required',
  description: 'Works as `POST /api/auth/switch-center`, and keeps the refresh token in the cookie.',
  body: named('SessionSwitch', { centerId: CenterId }, { examples: [{ centerId: 1 }] }),
  replies: { 200: BrowserSession },
  errors: ['FORBIDDEN', ...standingErrors],
})

export const endOwnSession = operation({
  ...byCookie,
  id: 'auth.endSession',
  method: 'DELETE',
  path: '/auth/session',
  rate: 'token',
  summary: 'End the session of a browser and delete its cookies',
  description:
    'The refresh token in the cookie names the session, so that signing out works after the access token has expired. The answer is the same without a session.',
  replies: { 204: null },
  errors: ['FORBIDDEN'],
})

const anyone = { kind: 'actor', center: 'optional' } as const

const OwnSession = named('OwnSession', {
  id: TypedId('session', 'Session id'),
  signedInAt: DateTime,
  lastUsedAt: Type.String({ ...DateTime, description: 'When its refresh token was used last' }),
  expiresAt: DateTime,
  center: nullable(named('OwnSessionCenter', { id: CenterId, name: Type.String(), domain: CenterDomain })),
  provider: Type.Boolean({ description: 'Whether it began with OpenID Connect' }),
  device: named('SessionDevice', {
    browser: nullable(
      Type.String({ description: 'The program of the sign-in, such as `Chrome`', examples: ['Chrome'] }),
    ),
    system: nullable(Type.String({ description: 'The system of the sign-in, such as `macOS`', examples: ['macOS'] })),
  }),
  current: Type.Boolean({ description: 'Whether this request belongs to it' }),
})

export const listSessions = operation({
  ...shared,
  id: 'sessions.list',
  method: 'GET',
  path: '/auth/sessions',
  access: anyone,
  summary: 'List your sessions that have not ended, the last used first, at most 100',
  replies: { 200: Type.Array(OwnSession) },
})

export const endSession = operation({
  ...shared,
  id: 'sessions.end',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  access: anyone,
  summary: 'End one of your sessions; every server refuses it within a second',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
