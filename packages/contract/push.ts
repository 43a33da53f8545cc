/** Web Push: notifies an approver's browser about waiting decisions, even while no page is open. */
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

const base64url = (length: number, description: string, example: string) =>
  Type.String({
    minLength: length,
    maxLength: length + 2,
    pattern: '^[A-Za-z0-9_-]+={0,2}$',
    description,
    examples: [example],
  })

export const getPush = operation({
  ...shared,
  id: 'push.get',
  method: 'GET',
  summary: 'Retrieve your push subscription',
  description:
    "Returns whether this session's browser is subscribed to notifications about waiting decisions, and the key to subscribe it with.",
  replies: {
    200: named(
      'PushState',
      {
        publicKey: nullable(
          Type.String({
            description:
              "The VAPID public key to use as `applicationServerKey`. Null if this server doesn't send push messages.",
          }),
        ),
        subscribed: Type.Boolean({ description: 'Whether this session has a subscription.' }),
      },
      { description: 'Whether this browser is subscribed.' },
    ),
  },
})

export const subscribePush = operation({
  ...shared,
  id: 'push.subscribe',
  method: 'PUT',
  summary: 'Subscribe this browser to notifications about waiting decisions',
  description:
    "Stores the subscription that the browser created (`PushSubscription.toJSON()`). Each session can have one subscription and each person ten; an eleventh removes the oldest. A subscription is stored encrypted, and is removed when the session ends or the push service reports that it's gone. A message has only the center's name and a link, is encrypted for the browser, and is sent at most once every ten minutes.",
  body: named(
    'NewPushSubscription',
    {
      endpoint: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: "The push service's address for this browser, from `PushSubscription`.",
        examples: ['https://fcm.googleapis.com/fcm/send/example'],
      }),
      keys: named(
        'PushKeys',
        {
          p256dh: base64url(
            87,
            "The browser's public key.",
            'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          ),
          auth: base64url(22, "The browser's authentication secret.", 'BTBZMqHH6r4Tts7J_aSIgg'),
        },
        { description: "The browser's keys, from `PushSubscription`." },
      ),
    },
    {
      description: "The browser's push subscription.",
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
  summary: 'Unsubscribe this browser from notifications',
  description: "Removes this session's push subscription. The response is the same if there was none.",
  replies: { 204: null },
})
