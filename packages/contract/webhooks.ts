/**
 * Webhook management: part 4.8 of the specification, with attempts, tests and recovery added. Keys call it under `/api/v1`,
 * an ADMIN who is signed in under `/api`.
 */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { closed, DateTime, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'
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
const RegisteredWebhook = named('RegisteredWebhook', { ...webhookFields, signingSecret: SigningSecret })

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

const Attempt = named('DeliveryAttempt', {
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

const Recovery = named('Recovery', {
  id: TypedId('recovery', 'Recovery id'),
  webhookId: WebhookId,
  since: DateTime,
  status: oneOf('RecoveryStatus', ['running', 'completed'], 'State of the recovery'),
  total: Type.Integer({ description: 'Deliveries to send again, counted at the start' }),
  recovered: Type.Integer({ description: 'Deliveries scheduled so far' }),
  createdAt: DateTime,
  completedAt: nullable(DateTime),
})

const read = key('proof:read', { or: 'webhooks:write', bound: 'kept' })
const write = key('proof:write', { or: 'webhooks:write', bound: 'kept' })
const admin = member('ADMIN')
const shared = { tag: 'Webhooks', store: 'cell', rate: 'management' } as const
const byKey = { ...shared, surface: 'proof', access: read } as const
const byMember = { ...shared, surface: 'platform', access: admin } as const
const changing = { ...shared, mounts: [{ access: write }, { access: admin }] } as const
/** The specification shows these answers to keys without an envelope. */
const bareForKeys = { ...shared, mounts: [{ access: write, envelope: 'bare' }, { access: admin }] } as const

const Count = Type.Integer({ minimum: 0 })
const Id = (what: string) => Type.String({ minLength: 1, maxLength: 255, description: what })
const webhookParam = Type.Object({ webhookId: Id('Webhook id') })
const eventParam = Type.Object({ eventId: Id('Event id') })

export const registerWebhook = definition({
  ...bareForKeys,
  id: 'webhooks.register',
  method: 'POST',
  path: '/webhooks',
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

const ListedWebhook = named('ListedWebhook', {
  ...Webhook.properties,
  recent: named(
    'RecentDeliveries',
    { succeeded: Count, failed: Count, pending: Count, held: Count },
    { description: 'Of the newest 1,000 deliveries' },
  ),
  secrets: Type.Array(
    named(
      'SecretAge',
      { createdAt: DateTime, expiresAt: nullable(DateTime) },
      { description: 'A valid signing secret' },
    ),
  ),
  recovery: nullable(Recovery),
})

export const listWebhooks = definition({
  ...shared,
  mounts: [{ access: read, looseQuery: true }, { access: admin }],
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary:
    'List the webhooks of this center, newest first, with figures, the age of their secrets and the last recovery',
  replies: { 200: Type.Array(ListedWebhook) },
})

export const updateWebhook = definition({
  ...bareForKeys,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  summary: 'Change the URL, the events or the state of a webhook',
  description:
    'A new `url` replaces the credentials too. Set `active` to true to enable a webhook that the server disabled. Events that occurred while it was inactive are held; a recovery sends them.',
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

export const deleteWebhook = definition({
  ...changing,
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  summary: 'Delete a webhook and its secrets; the server sends nothing to it any more',
  params: webhookParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

const RotatedSecret = named('RotatedSecret', { id: WebhookId, signingSecret: SigningSecret })
const TestEvent = named('TestEvent', { eventId: EventId, type: Type.Literal('ping') })

export const rotateWebhookSecret = definition({
  ...bareForKeys,
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
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
const RetriedEvent = named('RetriedEvent', { eventId: EventId, deliveries: Type.Array(ScheduledDelivery) })

export const retryWebhookEvent = definition({
  ...changing,
  id: 'webhooks.retryEvent',
  method: 'POST',
  path: '/webhooks/events/{eventId}/retry',
  summary: 'Send an event again, now, to every endpoint where it failed',
  description: 'The retry schedule starts from the beginning; `attempts` continues to count.',
  params: eventParam,
  replies: { 202: RetriedEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const listDeliveries = operation({
  ...byKey,
  id: 'webhooks.listDeliveries',
  method: 'GET',
  looseQuery: true,
  path: '/v1/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries to a webhook, newest first, with the result of the last attempt',
  params: webhookParam,
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Number of deliveries' }),
  }),
  replies: { 200: Type.Array(Delivery) },
  errors: ['NOT_FOUND'],
})

export const listDeliveryAttempts = operation({
  ...byKey,
  id: 'webhooks.listAttempts',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts',
  summary: 'List the attempts to deliver one event, with duration and response',
  params: Type.Object({ webhookId: Id('Webhook id'), eventId: Id('Event id') }),
  replies: { 200: Type.Array(Attempt) },
  errors: ['NOT_FOUND'],
})

export const testWebhook = definition({
  ...changing,
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  summary: 'Send a `ping` event to this webhook, whatever its subscriptions are',
  params: webhookParam,
  replies: { 202: TestEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const recoverWebhook = definition({
  ...changing,
  id: 'webhooks.recover',
  method: 'POST',
  path: '/webhooks/{webhookId}/recover',
  summary: 'Send all held and failed events since a given time again',
  description:
    'The server works in the background. The list of webhooks shows the progress, and to a key also `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}`.',
  params: webhookParam,
  body: named('NewRecovery', { since: DateTime }, { examples: [{ since: '2026-11-14T00:00:00.000Z' }] }),
  replies: { 202: Recovery },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const getRecovery = operation({
  ...byKey,
  id: 'webhooks.getRecovery',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/recoveries/{recoveryId}',
  summary: 'Get the progress of a recovery',
  params: Type.Object({ webhookId: Id('Webhook id'), recoveryId: Id('Recovery id') }),
  replies: { 200: Recovery },
  errors: ['NOT_FOUND'],
})

const DeliveryState = oneOf(
  'DeliveryState',
  ['success', 'failed', 'pending', 'held'],
  '`pending`: an attempt is scheduled; `held`: the webhook is inactive; `failed`: no further attempt is scheduled',
)

const TrackedDelivery = named('TrackedDelivery', {
  eventId: EventId,
  eventType: Type.String(),
  createdAt: DateTime,
  state: DeliveryState,
  attempts: Count,
  attemptedAt: nullable(DateTime),
  responseStatus: nullable(Type.Integer()),
  nextRetryAt: nullable(DateTime),
})

export const trackDeliveries = operation({
  ...byMember,
  id: 'deliveries.list',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries to a webhook, newest first, also those that were not attempted yet',
  params: webhookParam,
  query: Type.Object(
    {
      state: Type.Optional(DeliveryState),
      before: Type.Optional(Type.String({ maxLength: 255, description: '`next` of the page before' })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    },
    closed,
  ),
  replies: {
    200: named('TrackedDeliveries', {
      deliveries: Type.Array(TrackedDelivery),
      next: nullable(Type.String({ description: 'Where the next page begins' })),
    }),
  },
  errors: ['NOT_FOUND'],
})

export const getDelivery = operation({
  ...byMember,
  id: 'deliveries.get',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries/{eventId}',
  summary: 'Get one delivery with its attempts, its schedule and the exact body that is sent',
  params: listDeliveryAttempts.spec.params,
  replies: {
    200: named('DeliveryDetails', {
      ...TrackedDelivery.properties,
      /** Attempts that were made. */
      history: Type.Array(Attempt),
      scheduleSeconds: Type.Array(Type.Number(), { description: 'Pauses before each attempt of a schedule' }),
      body: nullable(
        Type.String({
          description: 'What the last attempt sent, or the next one would send, byte by byte; null after its retention',
        }),
      ),
    }),
  },
  errors: ['NOT_FOUND'],
})
