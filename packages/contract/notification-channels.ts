/** Notification channels: chat channels that are notified about waiting decisions. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { DateTime, described, named, nullable } from './common.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Kind = Type.Unsafe<'slack' | 'teams' | 'mattermost'>({
  type: 'string',
  enum: ['slack', 'teams', 'mattermost'],
  description: 'The chat app that the incoming webhook belongs to.',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A name to recognize the channel by.',
  examples: ['#approvals'],
})

const NotificationChannel = named(
  'NotificationChannel',
  {
    id: TypedId('notificationChannel', "The channel's ID."),
    kind: Kind,
    name: Type.String({ description: 'The name you gave the channel.' }),
    host: Type.String({ description: 'The host of the URL. The URL itself is a secret and never shown.' }),
    active: Type.Boolean({ description: 'Whether messages are sent.' }),
    disabledReason: nullable(
      Type.String({ description: "Why the server stopped sending messages. Null if it hasn't stopped." }),
    ),
    createdAt: described(DateTime, 'When the channel was added.'),
    lastSentAt: nullable(described(DateTime, 'When the last message was sent. Null if none has been sent.')),
    lastStatus: nullable(
      Type.Unsafe<'success' | 'failed'>({
        type: 'string',
        enum: ['success', 'failed'],
        description: 'The result of the last message. Null if none has been sent.',
      }),
    ),
    lastMessage: nullable(Type.String({ description: 'What went wrong with the last message. Null after a success.' })),
  },
  { description: 'A chat channel that is notified about waiting decisions.' },
)

const shared = {
  surface: 'platform',
  tag: 'Centers',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  store: 'cell',
} as const
const path = '/centers/{center}/notification-channels'
const ChannelParams = Type.Object({
  ...CenterParam.properties,
  id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The channel's ID.",
    examples: ['nch_01kz9x4q8hfx5r3v7t2b6n0m1c'],
  }),
})

export const createNotificationChannel = operation({
  ...shared,
  id: 'notificationChannels.create',
  method: 'POST',
  path,
  summary: 'Add a chat channel to notify about waiting decisions',
  description:
    "Adds a chat channel by the URL of its incoming webhook. The URL can belong to Slack (`https://hooks.slack.com/services/…`), to a Teams workflow (`https://….environment.api.powerplatform.com/…`), or to a host that the operator allows. The URL is a secret: it's stored encrypted and never shown. A message has one sentence and a link to the decision, in the center's language. The channel gets at most one message every ten minutes, and one per decision. Next, send a test message.",
  params: CenterParam,
  body: named(
    'NewNotificationChannel',
    {
      kind: Kind,
      name: Name,
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'The URL of the incoming webhook.',
        examples: ['https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX'],
      }),
    },
    {
      description: 'The chat channel to add.',
      examples: [
        { kind: 'slack', name: '#approvals', url: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX' },
      ],
    },
  ),
  replies: { 201: NotificationChannel },
  errors: ['CONFLICT'],
})

export const listNotificationChannels = operation({
  ...shared,
  id: 'notificationChannels.list',
  method: 'GET',
  path,
  summary: 'List chat channels',
  description: "Returns the center's chat channels and the result of the last message to each.",
  params: CenterParam,
  replies: { 200: Type.Array(NotificationChannel) },
})

export const testNotificationChannel = operation({
  ...shared,
  id: 'notificationChannels.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Send a test message',
  description:
    'Sends a test message to the chat channel. The list of chat channels shows the result. If the message is delivered, a channel that was turned off is turned back on.',
  params: ChannelParams,
  replies: { 202: NotificationChannel },
  errors: ['NOT_FOUND'],
})

export const removeNotificationChannel = operation({
  ...shared,
  id: 'notificationChannels.remove',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Remove a chat channel',
  description: 'Removes the chat channel and its URL. No more messages are sent to it.',
  params: ChannelParams,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
