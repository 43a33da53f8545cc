/** Which events there are, and those that companion apps publish. Both operations are ours. */
import { Type } from 'typebox'
import { closed, FreeObject } from './common.ts'
import { operation } from './operation.ts'
import { appEventTypes, type EventType } from './webhook-events.ts'
import { EventId } from './webhooks.ts'

export const listEventTypes = operation({
  id: 'webhooks.listEventTypes',
  surface: 'proof',
  method: 'GET',
  path: '/v1/webhooks/event-types',
  tag: 'Webhooks',
  store: 'none',
  rate: 'management',
  access: { kind: 'key', scope: 'proof:read' },
  summary: 'Every event type with a JSON schema and an example of its `data` (ours)',
  replies: {
    200: Type.Array(
      Type.Object({ type: Type.String(), description: Type.String(), schema: FreeObject, example: FreeObject }, closed),
    ),
  },
})

const AppEventType = Type.Unsafe<EventType>({ type: 'string', enum: [...appEventTypes] })

export const publishEvent = operation({
  id: 'events.publish',
  surface: 'proof',
  method: 'POST',
  path: '/v1/events',
  tag: 'Webhooks',
  store: 'cell',
  access: { kind: 'key', scope: 'events:write' },
  summary: 'A companion app publishes an event; every matching webhook receives it (ours)',
  description:
    'Idempotent by `id`, which becomes the id of the envelope: the same again is answered with the first answer, another body is 409.',
  body: Type.Object(
    {
      id: Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'Visible ASCII: a header of the delivery carries it',
      }),
      type: AppEventType,
      data: FreeObject,
    },
    {
      ...closed,
      examples: [{ id: 'pay-881-completed', type: 'payment.completed', data: { paymentId: 'pay-881', amount: 45000 } }],
    },
  ),
  replies: {
    202: Type.Object(
      {
        id: EventId,
        type: AppEventType,
        deliveries: Type.Integer({ description: 'How many webhooks are to receive it' }),
      },
      closed,
    ),
  },
  errors: ['CONFLICT'],
})
