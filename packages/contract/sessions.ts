/** Listing and ending your own sessions. */
import { Type } from 'typebox'
import { CenterDomain, CenterId, DateTime, described, named, nullable } from './common.ts'
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
  summary: 'Sign out of a browser session',
  description:
    "Ends the session that the refresh token in the cookie belongs to and deletes the cookies, so signing out works even after the access token has expired. The response is the same if there's no session.",
  replies: { 204: null },
  errors: ['FORBIDDEN'],
})

const anyone = { kind: 'actor', center: 'optional' } as const

const OwnSession = named(
  'OwnSession',
  {
    id: TypedId('session', "The session's ID."),
    signedInAt: described(DateTime, 'When you signed in.'),
    lastUsedAt: Type.String({ ...DateTime, description: "When the session's refresh token was last used." }),
    expiresAt: described(DateTime, 'When the session ends, unless it is ended earlier.'),
    center: nullable(
      named(
        'OwnSessionCenter',
        {
          id: described(CenterId, "The center's ID."),
          name: Type.String({ description: "The center's name." }),
          domain: described(CenterDomain, "The center's subdomain."),
        },
        { description: "The center that the session is in. Null if it isn't in one." },
      ),
    ),
    provider: Type.Boolean({ description: 'Whether the session began with OpenID Connect.' }),
    device: named(
      'SessionDevice',
      {
        browser: nullable(
          Type.String({ description: "The browser, such as `Chrome`. Null if it isn't known.", examples: ['Chrome'] }),
        ),
        system: nullable(
          Type.String({
            description: "The operating system, such as `macOS`. Null if it isn't known.",
            examples: ['macOS'],
          }),
        ),
      },
      { description: 'The device, as the browser reported it.' },
    ),
    current: Type.Boolean({ description: 'Whether this is the session that sent the request.' }),
  },
  { description: 'One of your sessions.' },
)

export const listSessions = operation({
  ...shared,
  id: 'sessions.list',
  method: 'GET',
  path: '/auth/sessions',
  access: anyone,
  summary: 'List your sessions',
  description:
    "Returns your sessions that haven't ended, most recently used first, up to 100. End any that you don't recognize.",
  replies: { 200: Type.Array(OwnSession) },
})

export const endSession = operation({
  ...shared,
  id: 'sessions.end',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  access: anyone,
  summary: 'End a session',
  description: 'Ends one of your sessions; it stops working within a second.',
  params: IdParam('session'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
