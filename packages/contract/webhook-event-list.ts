/** The events for a webhook in order, for programs that read them instead of receiving them. Not in the specification. */
import { Type } from 'typebox'
import { key } from './access.ts'
import { closed, DateTime, described, named, nullable } from './common.ts'
import { operation } from './operation.ts'
import { EventId } from './webhook-schemas.ts'

const WebhookEvent = named(
  'WebhookEvent',
  {
    id: EventId,
    type: Type.String({ description: 'What happened, such as `dpu.sealed`.' }),
    createdAt: described(DateTime, 'When the event occurred.'),
    body: nullable(
      Type.String({ description: 'The exact body that an attempt sends. Null once the body is no longer stored.' }),
    ),
  },
  { description: 'An event for a webhook, whether or not it was sent.' },
)

export const listWebhookEvents = operation({
  tag: 'Webhooks',
  store: 'cell',
  rate: 'management',
  surface: 'proof',
  access: key('proof:read', { or: 'webhooks:write', bound: 'kept' }),
  id: 'webhooks.listEvents',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/events',
  summary: "List a webhook's events",
  description:
    "Returns the events for a webhook in the order of their IDs, oldest first, also while it's turned off. To read on, send `next` as `after`. An event can become visible up to a minute after one with a later ID: to miss none, also read the last minute again with `since`, and ignore the IDs that you know.",
  params: Type.Object({
    webhookId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The webhook's ID, as returned when it was created.",
      examples: ['whk_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
  }),
  query: Type.Object(
    {
      after: Type.Optional(
        Type.String({
          maxLength: 255,
          description: 'The value of `next` from the previous page.',
          examples: ['msg_01kz9x4q8hfx5r3v7t2b6n0m1c'],
        }),
      ),
      since: Type.Optional(
        described(DateTime, 'Only events since this time. Ignored with `after`.', '2026-11-14T00:00:00.000Z'),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'The number of events per page.' }),
    },
    closed,
  ),
  replies: {
    200: named(
      'WebhookEvents',
      {
        events: Type.Array(WebhookEvent, { description: 'The events, oldest first.' }),
        next: nullable(
          Type.String({
            description: 'The value to send as `after` to read on. Null if there is no further event now.',
          }),
        ),
      },
      { description: "A page of a webhook's events." },
    ),
  },
  errors: ['NOT_FOUND'],
})
