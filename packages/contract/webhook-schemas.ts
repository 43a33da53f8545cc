/** Webhooks, their deliveries and recoveries, as requests and responses show them. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { DestinationType, routes, Url } from './webhook-destinations.ts'

export const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types, `*` for all of them, or a prefix such as `payment.*`.',
  examples: [['dpu.sealed', 'payment.*']],
})
export const Description = Type.String({
  maxLength: 1000,
  description: 'A note to yourself about what the endpoint is for.',
  examples: ['Production, eu-west'],
})
export const SigningSecret = Type.String({
  description: "The signing secret: `whsec_` followed by 32 random bytes in base64. It's shown only in this response.",
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})
const DeliveryStatus = oneOf('DeliveryStatus', ['success', 'failed'], 'The result of the last attempt.')
export const WebhookId = TypedId('webhook', "The webhook's ID.")
export const EventId = Type.String({
  description: "The event's ID, the same for every endpoint and every attempt.",
})

const webhookFields = {
  id: WebhookId,
  type: DestinationType,
  url: Url,
  ...routes,
  events: Patterns,
  description: Description,
  active: Type.Boolean({ description: 'Whether events are sent. While this is false, the server holds them.' }),
  createdAt: described(DateTime, 'When the webhook was created.'),
}

export const Webhook = named(
  'Webhook',
  {
    ...webhookFields,
    lastDeliveryAt: nullable(described(DateTime, 'When the last attempt ended. Null before the first one.')),
    lastDeliveryStatus: nullable(
      described(DeliveryStatus, 'The result of the last attempt. Null before the first one.'),
    ),
    disabledReason: nullable(Type.String({ description: "Why the server turned the webhook off. Null if it hasn't." })),
  },
  { description: 'A subscription to events.' },
)
export const RegisteredWebhook = named(
  'RegisteredWebhook',
  { ...webhookFields, signingSecret: SigningSecret },
  { description: 'A new webhook, with its signing secret.' },
)

export const Delivery = named(
  'Delivery',
  {
    eventId: EventId,
    eventType: Type.String({ description: 'What happened, such as `dpu.sealed`.' }),
    deliveredAt: Type.Unsafe<string>({ ...DateTime, description: 'When the last attempt ended.' }),
    status: DeliveryStatus,
    responseStatus: nullable(
      Type.Integer({
        description:
          'The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers.',
      }),
    ),
    attempts: Type.Integer({ minimum: 1, description: 'How many attempts were made.' }),
    nextRetryAt: nullable(
      Type.Unsafe<string>({ ...DateTime, description: 'When the next attempt is due. Null if none is scheduled.' }),
    ),
  },
  { description: 'The delivery of one event to one endpoint.' },
)

export const Attempt = named(
  'DeliveryAttempt',
  {
    attempt: Type.Integer({ minimum: 1, description: "The attempt's number, counted from 1." }),
    at: described(DateTime, 'When the attempt ended.'),
    ms: Type.Integer({ description: 'How long the attempt took, in milliseconds.' }),
    status: DeliveryStatus,
    responseStatus: nullable(
      Type.Integer({
        description:
          'The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers.',
      }),
    ),
    responseBody: Type.String({
      description: 'The first 1,024 bytes of the response; for JetStream, the acknowledgment.',
    }),
    error: nullable(
      Type.String({
        examples: ['timeout'],
        description:
          "What went wrong: the reason why there was no response, or the fact that the response wasn't 2xx. Null after a success.",
      }),
    ),
    message: nullable(Type.String({ description: 'The error in a sentence. Null after a success.' })),
  },
  { description: 'One attempt to deliver an event.' },
)

export const Recovery = named(
  'Recovery',
  {
    id: TypedId('recovery', "The recovery's ID."),
    webhookId: described(WebhookId, 'The webhook whose events are sent again.'),
    since: described(DateTime, 'Events since this time are sent again.'),
    status: oneOf('RecoveryStatus', ['running', 'completed'], 'Whether the recovery is still running.'),
    total: Type.Integer({ description: 'How many deliveries will be sent again, counted at the start.' }),
    recovered: Type.Integer({ description: 'The number of deliveries that have been scheduled so far.' }),
    createdAt: described(DateTime, 'When the recovery started.'),
    completedAt: nullable(
      described(DateTime, 'When the last delivery was scheduled. Null while the recovery is running.'),
    ),
  },
  { description: 'A recovery, which sends missed events again.' },
)

export const DeliveryCount = Type.Integer({ minimum: 0, description: 'A number of deliveries.' })

export const DeliveryState = oneOf(
  'DeliveryState',
  ['success', 'failed', 'pending', 'held'],
  'The state of the delivery. `pending`: an attempt is scheduled. `held`: the webhook is turned off. `failed`: no further attempt is scheduled.',
)

export const TrackedDelivery = named(
  'TrackedDelivery',
  {
    eventId: EventId,
    eventType: Type.String({ description: 'What happened, such as `dpu.sealed`.' }),
    createdAt: described(DateTime, 'When the event occurred.'),
    state: DeliveryState,
    attempts: described(DeliveryCount, 'How many attempts were made.'),
    attemptedAt: nullable(described(DateTime, 'When the last attempt ended. Null before the first one.')),
    responseStatus: nullable(
      Type.Integer({
        description:
          'The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers.',
      }),
    ),
    nextRetryAt: nullable(described(DateTime, 'When the next attempt is due. Null if none is scheduled.')),
  },
  { description: 'A delivery, whether or not it has been attempted.' },
)
