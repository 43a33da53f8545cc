/** Webhook management: part 4.8 of the specification. What is ours says so in its summary or description. */
import { Type } from 'typebox'
import { closed, DateTime, nullable } from './common.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where events are posted to: https, and no address of a private network',
  examples: ['https://hooks.example.org/countersign'],
})
const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types, `*` for all, or a beginning such as `payment.*`',
  examples: [['dpu.sealed', 'payment.*']],
})
const Description = Type.String({ maxLength: 1000 })
const SigningSecret = Type.String({
  description: '`whsec_` and 32 random bytes in base64, shown only in this answer',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})
const DeliveryStatus = Type.Unsafe<'success' | 'failed'>({
  type: 'string',
  enum: ['success', 'failed'],
  description: 'What came of the last attempt',
})
const WebhookId = TypedId('webhook', 'Webhook id')
export const EventId = Type.String({
  description: 'The id of the envelope: the same for every endpoint and every attempt',
})

const webhookFields = {
  id: WebhookId,
  url: Url,
  events: Patterns,
  description: Description,
  active: Type.Boolean({ description: 'False: events are held, and nothing is sent' }),
  createdAt: DateTime,
}

export const Webhook = Type.Object(
  {
    ...webhookFields,
    lastDeliveryAt: nullable(DateTime),
    lastDeliveryStatus: nullable(DeliveryStatus),
    disabledReason: nullable(Type.String({ description: 'Why we stopped sending; null while nobody but you did' })),
  },
  closed,
)
const NewlyRegistered = Type.Object({ ...webhookFields, signingSecret: SigningSecret }, closed)

const Delivery = Type.Object(
  {
    eventId: EventId,
    eventType: Type.String(),
    deliveredAt: Type.Unsafe<string>({ ...DateTime, description: 'When the last attempt ended' }),
    status: DeliveryStatus,
    responseStatus: nullable(Type.Integer({ description: 'Null when no HTTP answer came' })),
    attempts: Type.Integer({ minimum: 1 }),
    nextRetryAt: nullable(Type.Unsafe<string>({ ...DateTime, description: 'Null when no more will come by itself' })),
  },
  closed,
)

const Attempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    at: DateTime,
    ms: Type.Integer({ description: 'How long the exchange took' }),
    status: DeliveryStatus,
    responseStatus: nullable(Type.Integer()),
    responseBody: Type.String({ description: 'The first 1,024 bytes' }),
    error: nullable(
      Type.String({ examples: ['timeout'], description: 'Why there was no answer, or that it was not 2xx' }),
    ),
    message: nullable(Type.String({ description: 'The same in words' })),
  },
  closed,
)

const Recovery = Type.Object(
  {
    id: TypedId('recovery', 'Recovery id'),
    webhookId: WebhookId,
    since: DateTime,
    status: Type.Unsafe<'running' | 'completed'>({ type: 'string', enum: ['running', 'completed'] }),
    total: Type.Integer({ description: 'Deliveries to be made again, as counted at the beginning' }),
    recovered: Type.Integer({ description: 'Of these, how many are scheduled so far' }),
    createdAt: DateTime,
    completedAt: nullable(DateTime),
  },
  closed,
)

const read = { kind: 'key', scope: 'proof:read' } as const
const write = { kind: 'key', scope: 'proof:write' } as const
const shared = { surface: 'proof', tag: 'Webhooks', store: 'cell', rate: 'management' } as const

const Id = (what: string) => Type.String({ minLength: 1, maxLength: 255, description: what })
const webhookParam = Type.Object({ webhookId: Id('Webhook id') })
const eventParam = Type.Object({ eventId: Id('The id of the envelope') })

export const registerWebhook = operation({
  ...shared,
  id: 'webhooks.register',
  method: 'POST',
  path: '/v1/webhooks',
  access: write,
  envelope: 'bare',
  showsSecret: true,
  summary: 'Subscribe a URL to events; the signing secret is shown only here',
  body: Type.Object(
    {
      url: Url,
      events: Patterns,
      description: Type.Optional(Description),
      active: Type.Optional(Type.Boolean({ default: true })),
    },
    {
      ...closed,
      examples: [{ url: 'https://hooks.example.org/countersign', events: ['dpu.sealed', 'payment.*'] }],
    },
  ),
  replies: { 201: NewlyRegistered },
  errors: ['CONFLICT'],
})

export const listWebhooks = operation({
  ...shared,
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  access: read,
  summary: 'The webhooks of this center, newest first, without their secrets',
  replies: { 200: Type.Array(Webhook) },
})

export const updateWebhook = operation({
  ...shared,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/v1/webhooks/{webhookId}',
  access: write,
  envelope: 'bare',
  summary: 'Change where and what; `active: true` also ends a disabling by us',
  description:
    'Events of an inactive webhook are held. They do not flow by themselves when it is active again: `POST /api/v1/webhooks/{webhookId}/recover` sends them.',
  params: webhookParam,
  body: Type.Object(
    {
      url: Type.Optional(Url),
      events: Type.Optional(Patterns),
      description: Type.Optional(Description),
      active: Type.Optional(Type.Boolean()),
    },
    { ...closed, examples: [{ events: ['*'], active: true }] },
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
  summary: 'Unsubscribe; nothing is sent any more and the secrets are gone',
  params: webhookParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const rotateWebhookSecret = operation({
  ...shared,
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/rotate-secret',
  access: write,
  envelope: 'bare',
  showsSecret: true,
  summary: 'A new signing secret; the old one is valid for 24 hours more',
  description:
    'For 24 hours the new secret signs and `X-Service-Signature-Previous` carries the old one’s signature. A consumer that knows only one of them loses nothing: a refusal that looks like a bad signature makes the next scheduled attempt use the other.',
  params: webhookParam,
  body: Type.Object(
    {
      expirePreviousAfterSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 86_400,
          default: 86_400,
          description: 'Ours: less than a day, or 0 when a secret has leaked; earlier ones end then too',
        }),
      ),
    },
    { ...closed, examples: [{ expirePreviousAfterSeconds: 0 }] },
  ),
  replies: { 200: Type.Object({ id: WebhookId, signingSecret: SigningSecret }, closed) },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const retryWebhookEvent = operation({
  ...shared,
  id: 'webhooks.retryEvent',
  method: 'POST',
  path: '/v1/webhooks/events/{eventId}/retry',
  access: write,
  summary: 'Send an event again, now, to every endpoint where it has failed',
  description: 'The schedule starts again at its first row and `attempts` goes on counting.',
  params: eventParam,
  replies: {
    202: Type.Object(
      {
        eventId: EventId,
        deliveries: Type.Array(Type.Object({ webhookId: WebhookId, status: Type.Literal('scheduled') }, closed)),
      },
      closed,
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const listDeliveries = operation({
  ...shared,
  id: 'webhooks.listDeliveries',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/deliveries',
  access: read,
  summary: 'What was sent to this webhook, newest first, with the outcome of the last attempt',
  params: webhookParam,
  query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }) }),
  replies: { 200: Type.Array(Delivery) },
  errors: ['NOT_FOUND'],
})

export const listDeliveryAttempts = operation({
  ...shared,
  id: 'webhooks.listAttempts',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts',
  access: read,
  summary: 'Every attempt to deliver one event: when, how long, and what came back (ours)',
  params: Type.Object({ webhookId: Id('Webhook id'), eventId: Id('The id of the envelope') }),
  replies: { 200: Type.Array(Attempt) },
  errors: ['NOT_FOUND'],
})

export const testWebhook = operation({
  ...shared,
  id: 'webhooks.test',
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/test',
  access: write,
  summary: 'Send a `ping` to this webhook, whatever it is subscribed to (ours)',
  params: webhookParam,
  replies: { 202: Type.Object({ eventId: EventId, type: Type.Literal('ping') }, closed) },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const recoverWebhook = operation({
  ...shared,
  id: 'webhooks.recover',
  method: 'POST',
  path: '/v1/webhooks/{webhookId}/recover',
  access: write,
  summary: 'Send again everything since a moment that was held or has failed (ours)',
  description: 'Any number; it is done in the background, and the answer’s id tells how far it is.',
  params: webhookParam,
  body: Type.Object({ since: DateTime }, { ...closed, examples: [{ since: '2026-11-14T00:00:00.000Z' }] }),
  replies: { 202: Recovery },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const getRecovery = operation({
  ...shared,
  id: 'webhooks.getRecovery',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/recoveries/{recoveryId}',
  access: read,
  summary: 'How far a recovery is (ours)',
  params: Type.Object({ webhookId: Id('Webhook id'), recoveryId: Id('Recovery id') }),
  replies: { 200: Recovery },
  errors: ['NOT_FOUND'],
})
