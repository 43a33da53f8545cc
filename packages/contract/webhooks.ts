/** Webhook management: part 4.8 of the specification, with attempts, tests and recovery added. */
import { Type } from 'typebox'
import { DateTime, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { DestinationType, routes, Url } from './webhook-destinations.ts'

const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types, `*` for all, or a prefix such as `payment.*`',
  examples: [['dpu.sealed', 'payment.*']],
})
const Description = Type.String({ maxLength: 1000 })
const SigningSecret = Type.String({
  description: '`whsec_` and 32 random bytes in base64, shown only in this reply',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})
const DeliveryStatus = oneOf('DeliveryStatus', ['success', 'failed'], 'Result of the last attempt')
const WebhookId = TypedId('webhook', 'Webhook id')
export const EventId = Type.String({
  description: 'Id of the event, the same for every endpoint and every attempt',
})

const webhookFields = {
  id: WebhookId,
  type: DestinationType,
  url: Url,
  ...routes,
  events: Patterns,
  description: Description,
  active: Type.Boolean({ description: 'While false, the server holds events and sends nothing' }),
  createdAt: DateTime,
}

export const Webhook = named('Webhook', {
  ...webhookFields,
  lastDeliveryAt: nullable(DateTime),
  lastDeliveryStatus: nullable(DeliveryStatus),
  disabledReason: nullable(Type.String({ description: 'Why the server disabled the webhook; null if it did not' })),
})
export const RegisteredWebhook = named('RegisteredWebhook', { ...webhookFields, signingSecret: SigningSecret })

const Delivery = named('Delivery', {
  eventId: EventId,
  eventType: Type.String(),
  deliveredAt: Type.Unsafe<string>({ ...DateTime, description: 'When the last attempt ended' }),
  status: DeliveryStatus,
  responseStatus: nullable(
    Type.Integer({ description: 'Null when the endpoint sent no HTTP response, and always for brokers' }),
  ),
  attempts: Type.Integer({ minimum: 1 }),
  nextRetryAt: nullable(Type.Unsafe<string>({ ...DateTime, description: 'Null when no attempt is scheduled' })),
})

export const Attempt = named('DeliveryAttempt', {
  attempt: Type.Integer({ minimum: 1 }),
  at: DateTime,
  ms: Type.Integer({ description: 'Duration in milliseconds' }),
  status: DeliveryStatus,
  responseStatus: nullable(Type.Integer()),
  responseBody: Type.String({ description: 'The first 1,024 bytes; of JetStream the acknowledgment' }),
  error: nullable(
    Type.String({ examples: ['timeout'], description: 'Why there was no response, or that it was not 2xx' }),
  ),
  message: nullable(Type.String({ description: 'The error for people' })),
})

export const Recovery = named('Recovery', {
  id: TypedId('recovery', 'Recovery id'),
  webhookId: WebhookId,
  since: DateTime,
  status: oneOf('RecoveryStatus', ['running', 'completed'], 'State of the recovery'),
  total: Type.Integer({ description: 'Deliveries to send again, counted at the start' }),
  recovered: Type.Integer({ description: 'Deliveries scheduled so far' }),
  createdAt: DateTime,
  completedAt: nullable(DateTime),
})

const read = { kind: 'key', scope: 'proof:read', or: 'webhooks:write', bound: 'kept' } as const
const write = { kind: 'key', scope: 'proof:write', or: 'webhooks:write', bound: 'kept' } as const
const shared = { surface: 'proof', tag: 'Webhooks', store: 'cell', rate: 'management' } as const

const Id = (what: string) => Type.String({ minLength: 1, maxLength: 255, description: what })
export const webhookParam = Type.Object({ webhookId: Id('Webhook id') })
const eventParam = Type.Object({ eventId: Id('Event id') })

export const registerWebhook = operation({
  ...shared,
  id: 'webhooks.register',
  method: 'POST',
  path: '/v1/webhooks',
  access: write,
  envelope: 'bare',
  showsSecret: true,
  summary: 'Subscribe a URL to events; the signing secret is shown only in this reply',
  description:
    'Store the secret: the receiver verifies the signature of each delivery with it. Without `type` the server posts to the URL.',
  body: named(
    'NewWebhook',
    {
      type: Type.Optional(DestinationType),
      url: Url,
      ...routes,
      events: Patterns,
      description: Type.Optional(Description),
      active: Type.Optional(Type.Boolean({ default: true })),
    },
    {
      examples: [
        { url: 'https://hooks.example.org/countersign', events: ['dpu.sealed', 'payment.*'] },
        { type: 'nats', url: 'tls://user:password@nats.example.org', subject: 'countersign.events', events: ['*'] },
        {
          type: 'rabbitmq',
          url: 'amqps://user:password@rabbitmq.example.org/production',
          exchange: 'countersign',
          routingKey: 'events',
          events: ['*'],
        },
      ],
    },
  ),
  replies: { 201: RegisteredWebhook },
  errors: ['CONFLICT'],
})

export const listWebhooks = operation({
  ...shared,
  id: 'webhooks.list',
  method: 'GET',
  looseQuery: true,
  path: '/v1/webhooks',
  access: read,
  summary: 'List the webhooks of this center, newest first, without their secrets',
  replies: { 200: Type.Array(Webhook) },
})

export const updateWebhook = operation({
  ...shared,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/v1/webhooks/{webhookId}',
  access: write,
  envelope: 'bare',
  summary: 'Change the URL, the events or the state of a webhook',
  description:
    'A new `url` replaces the credentials too. Set `active` to true to enable a webhook that the server disabled. Events that occurred while it was inactive are held; `POST /api/v1/webhooks/{webhookId}/recover` sends them.',
  params: webhookParam,
  body: named(
    'WebhookPatch',
    {
      type: Type.Optional(DestinationType),
      url: Type.Optional(Url),
      ...routes,
      events: Type.Optional(Patterns),
      description: Type.Optional(Description),
      active: Type.Optional(Type.Boolean()),
    },
    { examples: [{ events: ['*'], active: true }] },
  ),
  replies: { 200: Webhook },
  errors: ['NOT_FOUND'],
})

export const deleteWebhook = operation({
  ...shared,
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/v1/webhooks/{webhookId}',
  access: write,
  summary: 'Delete a webhook and its secrets; the server sends nothing to it any more',
  params: webhookParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const RotatedSecret = named('RotatedSecret', { id: WebhookId, signingSecret: SigningSecret })
export const TestEvent = named('TestEvent', { eventId: EventId, type: Type.Literal('ping') })

export const rotateWebhookSecret = operation({
  ...shared,
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/rotate-secret',
  access: write,
  envelope: 'bare',
  showsSecret: true,
  summary: 'Create a new signing secret; the previous one remains valid for 24 hours',
  description:
    'During this time the new secret signs, and `X-Service-Signature-Previous` carries the signature of the previous one. If a receiver rejects a delivery in a way that suggests a wrong signature, the next attempt uses the other secret.',
  params: webhookParam,
  body: named(
    'SecretRotation',
    {
      expirePreviousAfterSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 86_400,
          default: 86_400,
          description: 'How long previous secrets remain valid; 0 after a secret has leaked',
        }),
      ),
    },
    { examples: [{ expirePreviousAfterSeconds: 0 }] },
  ),
  replies: { 200: RotatedSecret },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const ScheduledDelivery = named('ScheduledDelivery', { webhookId: WebhookId, status: Type.Literal('scheduled') })
export const RetriedEvent = named('RetriedEvent', { eventId: EventId, deliveries: Type.Array(ScheduledDelivery) })

export const retryWebhookEvent = operation({
  ...shared,
  id: 'webhooks.retryEvent',
  method: 'POST',
  path: '/v1/webhooks/events/{eventId}/retry',
  access: write,
  summary: 'Send an event again, now, to every endpoint where it failed',
  description: 'The retry schedule starts from the beginning; `attempts` continues to count.',
  params: eventParam,
  replies: { 202: RetriedEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const listDeliveries = operation({
  ...shared,
  id: 'webhooks.listDeliveries',
  method: 'GET',
  looseQuery: true,
  path: '/v1/webhooks/{webhookId}/deliveries',
  access: read,
  summary: 'List the deliveries to a webhook, newest first, with the result of the last attempt',
  params: webhookParam,
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Number of deliveries' }),
  }),
  replies: { 200: Type.Array(Delivery) },
  errors: ['NOT_FOUND'],
})

export const listDeliveryAttempts = operation({
  ...shared,
  id: 'webhooks.listAttempts',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts',
  access: read,
  summary: 'List the attempts to deliver one event, with duration and response',
  params: Type.Object({ webhookId: Id('Webhook id'), eventId: Id('Event id') }),
  replies: { 200: Type.Array(Attempt) },
  errors: ['NOT_FOUND'],
})

export const testWebhook = operation({
  ...shared,
  id: 'webhooks.test',
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/test',
  access: write,
  summary: 'Send a `ping` event to this webhook, whatever its subscriptions are',
  params: webhookParam,
  replies: { 202: TestEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const recoverWebhook = operation({
  ...shared,
  id: 'webhooks.recover',
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/recover',
  access: write,
  summary: 'Send all held and failed events since a given time again',
  description:
    'The server works in the background; `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}` shows the progress.',
  params: webhookParam,
  body: named('NewRecovery', { since: DateTime }, { examples: [{ since: '2026-11-14T00:00:00.000Z' }] }),
  replies: { 202: Recovery },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const getRecovery = operation({
  ...shared,
  id: 'webhooks.getRecovery',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/recoveries/{recoveryId}',
  access: read,
  summary: 'Get the progress of a recovery',
  params: Type.Object({ webhookId: Id('Webhook id'), recoveryId: Id('Recovery id') }),
  replies: { 200: Recovery },
  errors: ['NOT_FOUND'],
})
