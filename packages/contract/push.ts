/** Web Push: a browser of a person who may approve is told that decisions wait, also while no page is open. */
import { Type } from 'typebox'
import { named, nullable } from './common.ts'
import { operation } from './operation.ts'

const shared = {
  surface: 'platform',
  tag: 'Sign-in',
  store: 'identity',
  access: { kind: 'actor', center: 'optional' },
  path: '/auth/push',
} as const

const base64url = (length: number, description: string) =>
  Type.String({ minLength: length, maxLength: length + 2, pattern: '^[A-Za-z0-9_-]+={0,2}$', description })

export const getPush = operation({
  ...shared,
  id: 'push.get',
  method: 'GET',
  summary: 'Whether the browser of your session is told that decisions wait, and the key with which it subscribes',
  replies: {
    200: named('PushState', {
      publicKey: nullable(
        Type.String({
          description: '`applicationServerKey` of the browser (VAPID); null where this server sends none',
        }),
      ),
      subscribed: Type.Boolean({ description: 'Whether this session has a subscription' }),
    }),
  },
})

export const subscribePush = operation({
  ...shared,
  id: 'push.subscribe',
  method: 'PUT',
  summary: 'Tell the browser of your session that decisions wait',
  description:
    'Takes the subscription that the browser made (`PushSubscription.toJSON()`). A session has one, and a person ten: an eleventh removes the oldest. It is stored encrypted and removed when the session ends or the push service says that it is gone. A message has the name of the center and a link, at most one in ten minutes, and is encrypted for the browser.',
  body: named(
    'NewPushSubscription',
    {
      endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
      keys: named('PushKeys', {
        p256dh: base64url(87, 'Public key of the browser'),
        auth: base64url(22, 'Authentication secret of the browser'),
      }),
    },
    {
      examples: [
        {
          endpoint: 'https://fcm.googleapis.com/fcm/send/example',
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        },
      ],
    },
  ),
  replies: { 204: null },
  errors: ['SERVICE_UNAVAILABLE'],
})

export const unsubscribePush = operation({
  ...shared,
  id: 'push.unsubscribe',
  method: 'DELETE',
  summary: 'Tell the browser of your session no more; also where it was not told',
  replies: { 204: null },
})
