/** Notification channels: chat channels that are told that decisions wait for approval. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { DateTime, named, nullable } from './common.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Kind = Type.Unsafe<'slack' | 'teams' | 'mattermost'>({
  type: 'string',
  enum: ['slack', 'teams', 'mattermost'],
  description: 'Whose incoming webhook it is',
})
const Name = Type.String({ minLength: 1, maxLength: 100 })

const NotificationChannel = named('NotificationChannel', {
  id: TypedId('notificationChannel', 'Notification channel id'),
  kind: Kind,
  name: Type.String(),
  host: Type.String({ description: 'Host of the URL; the URL itself is a secret and never shown' }),
  active: Type.Boolean(),
  disabledReason: nullable(Type.String({ description: 'Why the server sends nothing any more' })),
  createdAt: DateTime,
  lastSentAt: nullable(DateTime),
  lastStatus: nullable(Type.Unsafe<'success' | 'failed'>({ type: 'string', enum: ['success', 'failed'] })),
  lastMessage: nullable(Type.String({ description: 'What the last attempt met; null after a success' })),
})

const shared = {
  surface: 'platform',
  tag: 'Centers',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  store: 'cell',
} as const
const path = '/centers/{center}/notification-channels'
const ChannelParams = Type.Object({
  ...CenterParam.properties,
  id: Type.String({ minLength: 1, maxLength: 255 }),
})

export const createNotificationChannel = operation({
  ...shared,
  id: 'notificationChannels.create',
  method: 'POST',
  path,
  summary: 'Add a chat channel that is told that decisions wait',
  description:
    'Takes the URL of an incoming webhook: of Slack (`https://hooks.slack.com/services/…`), of a Teams workflow (`https://….environment.api.powerplatform.com/…`), or at a host that the operator allows. The URL is a secret: it is stored encrypted and never shown. A message has one sentence and a link to the page of the decision, in the language of the center, at most one in ten minutes and none twice about a decision.',
  params: CenterParam,
  body: named(
    'NewNotificationChannel',
    { kind: Kind, name: Name, url: Type.String({ minLength: 1, maxLength: 2048 }) },
    {
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
  summary: 'List the chat channels of a center, and what became of the last message',
  params: CenterParam,
  replies: { 200: Type.Array(NotificationChannel) },
})

export const testNotificationChannel = operation({
  ...shared,
  id: 'notificationChannels.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Send a test message; the list shows its result, and a success enables the channel again',
  params: ChannelParams,
  replies: { 202: NotificationChannel },
  errors: ['NOT_FOUND'],
})

export const removeNotificationChannel = operation({
  ...shared,
  id: 'notificationChannels.remove',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Remove a chat channel and its URL',
  params: ChannelParams,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
