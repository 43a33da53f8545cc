/** Which messages a person gets, and when. These operations aren't in the specification. */
import { type Static, Type } from 'typebox'
import { named, nullable } from './common.ts'
import { messageChannels, messageEvents, messageGroupNames } from './messages.ts'
import { operation } from './operation.ts'

const shared = {
  surface: 'platform',
  tag: 'Account',
  store: 'identity',
  access: { kind: 'actor', center: 'optional' },
  path: '/auth/me/notifications',
} as const

const oneOf = <T extends string>(values: readonly T[], texts: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...texts })

const Group = oneOf(messageGroupNames, {
  description: 'The kind of message.',
  examples: ['appointments'],
})
const channel = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] })

const choice = {
  group: Group,
  mail: channel('Whether you get these messages by email.', true),
  push: channel('Whether you get them as push notifications, in each browser where you turned those on.', true),
  text: channel('Whether you get them as text messages, if your phone number is verified.', false),
  digest: channel('Whether we collect the emails into one a day instead of sending each at once.', false),
}
const Time = (description: string, example: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: [example] })

export const QuietHours = named(
  'QuietHours',
  {
    from: Time('When the quiet hours begin, as HH:MM.', '22:00'),
    until: Time('When they end, as HH:MM. An earlier time than `from` is on the next day.', '07:00'),
  },
  {
    description:
      'Push notifications and text messages wait until the quiet hours end. Email is sent at any time, and so is what would come too late afterwards.',
    examples: [{ from: '22:00', until: '07:00' }],
  },
)

const times = {
  quietHours: nullable(QuietHours),
  timeZone: nullable(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Your time zone, for quiet hours and the daily email. Null: that of the center a message is about.',
      examples: ['Asia/Seoul'],
    }),
  ),
}

export const NotificationSettings = named(
  'NotificationSettings',
  {
    groups: Type.Array(
      named(
        'NotificationGroup',
        {
          ...choice,
          fixed: Type.Array(oneOf(messageChannels), {
            description: "Channels of this group that can't be turned off.",
          }),
          offers: Type.Array(oneOf([...messageChannels, 'digest'] as const), {
            description: 'What this group has: a group without text messages or without a daily email leaves them out.',
          }),
          events: Type.Array(oneOf(messageEvents), { description: 'The events of this group.' }),
        },
        { description: 'Your choice for one kind of message.' },
      ),
      { description: 'Every group, with your choice.' },
    ),
    ...times,
  },
  { description: 'Which messages you get, by which channels, and when.' },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const getNotifications = operation({
  ...shared,
  id: 'notifications.get',
  method: 'GET',
  summary: 'Retrieve your notification settings',
  description:
    'Returns which messages you get, by group and channel. The groups and their events are those of the matrix of messages.',
  replies: { 200: NotificationSettings },
})

export const putNotifications = operation({
  ...shared,
  id: 'notifications.put',
  method: 'PUT',
  summary: 'Change your notification settings',
  description:
    "Replaces your choices. A group that you leave out goes back to its defaults. If you turn off a channel that can't be turned off, or turn on one that the group doesn't have, the response is 400.",
  body: named(
    'NotificationChoices',
    {
      groups: Type.Array(named('NotificationChoice', choice, { description: 'Your choice for one kind of message.' }), {
        maxItems: messageGroupNames.length,
        description: 'Your choices, each group at most once.',
        examples: [[{ group: 'appointments', mail: true, push: true, text: false, digest: false }]],
      }),
      ...times,
    },
    {
      description: 'Your choices.',
      examples: [
        {
          groups: [{ group: 'appointments', mail: true, push: true, text: false, digest: false }],
          quietHours: { from: '22:00', until: '07:00' },
          timeZone: null,
        },
      ],
    },
  ),
  replies: { 200: NotificationSettings },
})
