/** The catalog of event types, and events that companion applications publish. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { FreeObject, freeObject, named } from './common.ts'
import { oneOf, SubscriptionStatusSchema } from './enums.ts'
import { definition, operation } from './operation.ts'
import { appEventTypes } from './webhook-events.ts'
import { EventId } from './webhooks.ts'

export const listEventTypes = definition({
  id: 'webhooks.listEventTypes',
  method: 'GET',
  path: '/webhooks/event-types',
  mounts: [{ access: key('proof:read', { or: 'webhooks:write', bound: 'kept' }) }, { access: member('ADMIN') }],
  tag: 'Webhooks',
  store: 'none',
  rate: 'management',
  summary: 'List the event types, each with a JSON schema and an example of its `data`',
  replies: {
    200: Type.Array(
      named('EventTypeDescription', {
        type: Type.String(),
        description: Type.String(),
        schema: freeObject('JsonSchema', 'A JSON schema'),
        example: FreeObject,
      }),
    ),
  },
})

const AppEventType = oneOf('AppEventType', appEventTypes, 'Event type that a companion application publishes')

export const publishEvent = operation({
  id: 'events.publish',
  surface: 'proof',
  method: 'POST',
  path: '/v1/events',
  tag: 'Webhooks',
  store: 'cell',
  access: { kind: 'key', scope: 'events:write', bound: true },
  summary: 'Publish an event of a companion application to every matching webhook',
  description:
    'Idempotent by `id`, which becomes the id of the event. A repeated request with the same body gets the first reply; with another body it is refused with 409. A `certificate.issued` names in `data.dpuId` a decision proof unit of the same center, otherwise it is refused with 422. An `attendance.verified` is kept as attendance that workflows count: `data.learnerId` may be an actor id, and `data.sessionId` the id of an appointment. A payment with `data.centerSubscription` also moves the subscription of this center, if a billing key of the operator signed that statement: a wrong signature is 403 `FORBIDDEN`, a move that is not possible 409 `CONFLICT`. A statement that is not later than the last one changes nothing.',
  body: named(
    'NewEvent',
    {
      id: Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'Visible ASCII characters, because a header of the delivery carries it',
      }),
      type: AppEventType,
      data: FreeObject,
    },
    {
      examples: [{ id: 'pay-881-completed', type: 'payment.completed', data: { paymentId: 'pay-881', amount: 45000 } }],
    },
  ),
  replies: {
    202: named('PublishedEvent', {
      id: EventId,
      type: AppEventType,
      deliveries: Type.Integer({ description: 'Number of webhooks that receive it' }),
      subscription: Type.Optional(
        named(
          'FollowedSubscription',
          { status: SubscriptionStatusSchema },
          { description: 'With `centerSubscription`: the subscription as it stands now' },
        ),
      ),
    }),
  },
  errors: ['CONFLICT', 'NOT_FOUND'],
})
