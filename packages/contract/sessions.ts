/** The end of a session, and the list of one's own sessions. */
import { Type } from 'typebox'
import { CenterDomain, CenterId, DateTime, named, nullable } from './common.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Sign-in', store: 'identity' } as const

export const endOwnSession = operation({
  ...shared,
  access: { kind: 'public' },
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
