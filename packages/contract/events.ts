/** The catalog of event types, and events that companion applications publish. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { described, FreeObject, freeObject, named } from './common.ts'
import { oneOf, SubscriptionStatusSchema } from './enums.ts'
import { definition, operation } from './operation.ts'
import { appEventTypes } from './webhook-events.ts'
import { EventId } from './webhook-schemas.ts'

export const listEventTypes = definition({
  id: 'webhooks.listEventTypes',
  method: 'GET',
  path: '/webhooks/event-types',
  mounts: [{ access: key('proof:read', { or: 'webhooks:write', bound: 'kept' }) }, { access: member('ADMIN') }],
  tag: 'Webhooks',
  store: 'none',
  rate: 'management',
  summary: 'List event types',
  description:
    'Returns every event type that a webhook can subscribe to, with a JSON schema and an example of its `data`.',
  replies: {
    200: Type.Array(
      named(
        'EventTypeDescription',
        {
          type: Type.String({ description: 'The name to subscribe to.' }),
          description: Type.String({ description: 'When the event is sent.' }),
          schema: freeObject('JsonSchema', 'The JSON schema of `data`.'),
          example: described(FreeObject, 'An example of `data`.'),
        },
        { description: 'An event type that webhooks can subscribe to.' },
      ),
    ),
  },
})

const AppEventType = oneOf('AppEventType', appEventTypes, 'An event type that a companion application can publish.')

export const publishEvent = operation({
  id: 'events.publish',
  surface: 'proof',
  method: 'POST',
  path: '/v1/events',
  tag: 'Webhooks',
  store: 'cell',
  access: { kind: 'key', scope: 'events:write', bound: true },
  summary: 'Publish an event',
  description:
    "Sends an event from a companion application to every matching webhook. Requests are idempotent by `id`: a request with the same `id` and the same body gets the first response again, and one with a different body gets 409. For `certificate.issued`, `data.dpuId` must be the ID of a DPU in the same center; otherwise, the response is 422. `attendance.verified` is stored as attendance, which workflows count; `data.learnerId` can be an actor ID, and `data.sessionId` can be an appointment's ID. A payment with `data.centerSubscription` also changes this center's subscription if one of the operator's billing keys signed the statement. If the signature is wrong, the response is 403 `FORBIDDEN`; if the change isn't possible, it's 409 `CONFLICT`. A statement that isn't later than the last one changes nothing.",
  body: named(
    'NewEvent',
    {
      id: Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+$',
        description:
          "Your own ID for the event, which makes it safe to repeat the request. It can contain only visible ASCII characters, because it's sent in a delivery header.",
        examples: ['pay-881-completed'],
      }),
      type: AppEventType,
      data: described(FreeObject, 'What happened, in the form that the event type defines.', {
        paymentId: 'pay-881',
        amount: 45,
      }),
    },
    {
      description: 'The event to publish.',
      examples: [{ id: 'pay-881-completed', type: 'payment.completed', data: { paymentId: 'pay-881', amount: 45 } }],
    },
  ),
  replies: {
    202: named(
      'PublishedEvent',
      {
        id: EventId,
        type: AppEventType,
        deliveries: Type.Integer({ description: 'The number of webhooks that receive the event.' }),
        subscription: Type.Optional(
          named(
            'FollowedSubscription',
            { status: SubscriptionStatusSchema },
            { description: "The subscription's current state. Present only if the event had `centerSubscription`." },
          ),
        ),
      },
      { description: 'The event that was published.' },
    ),
  },
  errors: ['CONFLICT', 'NOT_FOUND'],
})
