/** Webhooks for people who are signed in: what the Proof API offers to programs, and more of each delivery. */
import { type TSchema, Type } from 'typebox'
import { closed, DateTime, named, nullable } from './common.ts'
import { adminOnly, consoleOperation } from './console-inbox.ts'
import { oneOf } from './enums.ts'
import { listEventTypes } from './events.ts'
import { operation } from './operation.ts'
import * as webhooks from './webhooks.ts'

const shared = { ...consoleOperation, access: adminOnly, store: 'cell', envelope: 'data' } as const

/** The same object under a name of its own, because its envelope is that of the platform. */
const inConsole = <T extends TSchema>(schema: T): T => ({
  ...schema,
  title: `Console${(schema as { title?: string }).title}`,
})

const Count = Type.Integer({ minimum: 0 })

const ConsoleWebhook = named('ConsoleWebhook', {
  ...webhooks.Webhook.properties,
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
  recovery: nullable(inConsole(webhooks.Recovery)),
})

export const consoleListWebhooks = operation({
  ...shared,
  id: 'console.listWebhooks',
  method: 'GET',
  path: '/console/webhooks',
  summary: 'List the webhooks of this center with figures, secrets and the last recovery',
  replies: { 200: Type.Array(ConsoleWebhook) },
})

export const consoleRegisterWebhook = operation({
  ...webhooks.registerWebhook.spec,
  ...shared,
  id: 'console.registerWebhook',
  path: '/console/webhooks',
  replies: { 201: inConsole(webhooks.RegisteredWebhook) },
})

export const consoleUpdateWebhook = operation({
  ...webhooks.updateWebhook.spec,
  ...shared,
  id: 'console.updateWebhook',
  path: '/console/webhooks/{webhookId}',
  replies: { 200: named('ChangedWebhook', webhooks.Webhook.properties) },
})

export const consoleDeleteWebhook = operation({
  ...webhooks.deleteWebhook.spec,
  ...shared,
  id: 'console.deleteWebhook',
  path: '/console/webhooks/{webhookId}',
})

export const consoleRotateSecret = operation({
  ...webhooks.rotateWebhookSecret.spec,
  ...shared,
  id: 'console.rotateWebhookSecret',
  path: '/console/webhooks/{webhookId}/rotate-secret',
  replies: { 200: inConsole(webhooks.RotatedSecret) },
})

export const consoleTestWebhook = operation({
  ...webhooks.testWebhook.spec,
  ...shared,
  id: 'console.testWebhook',
  path: '/console/webhooks/{webhookId}/test',
  replies: { 202: inConsole(webhooks.TestEvent) },
})

export const consoleRecoverWebhook = operation({
  ...webhooks.recoverWebhook.spec,
  ...shared,
  id: 'console.recoverWebhook',
  path: '/console/webhooks/{webhookId}/recover',
  description: 'The server works in the background; `GET /api/console/webhooks` shows the progress.',
  replies: { 202: inConsole(webhooks.Recovery) },
})

export const consoleRetryEvent = operation({
  ...webhooks.retryWebhookEvent.spec,
  ...shared,
  id: 'console.retryWebhookEvent',
  path: '/console/webhook-events/{eventId}/retry',
  replies: { 202: inConsole(webhooks.RetriedEvent) },
})

const DeliveryState = oneOf(
  'DeliveryState',
  ['success', 'failed', 'pending', 'held'],
  '`pending`: an attempt is scheduled; `held`: the webhook is inactive; `failed`: no further attempt is scheduled',
)

const ConsoleDelivery = named('ConsoleDelivery', {
  eventId: webhooks.EventId,
  eventType: Type.String(),
  createdAt: DateTime,
  state: DeliveryState,
  attempts: Count,
  attemptedAt: nullable(DateTime),
  responseStatus: nullable(Type.Integer()),
  nextRetryAt: nullable(DateTime),
})

export const consoleListDeliveries = operation({
  ...shared,
  id: 'console.listDeliveries',
  method: 'GET',
  path: '/console/webhooks/{webhookId}/deliveries',
  summary: 'List the deliveries to a webhook, newest first, also those that were not attempted yet',
  params: webhooks.webhookParam,
  query: Type.Object(
    {
      state: Type.Optional(DeliveryState),
      before: Type.Optional(Type.String({ maxLength: 255, description: '`next` of the page before' })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    },
    closed,
  ),
  replies: {
    200: named('ConsoleDeliveries', {
      deliveries: Type.Array(ConsoleDelivery),
      next: nullable(Type.String({ description: 'Where the next page begins' })),
    }),
  },
  errors: ['NOT_FOUND'],
})

export const consoleGetDelivery = operation({
  ...shared,
  id: 'console.getDelivery',
  method: 'GET',
  path: '/console/webhooks/{webhookId}/deliveries/{eventId}',
  summary: 'Get one delivery with its attempts, its schedule and the exact body that is sent',
  params: webhooks.listDeliveryAttempts.spec.params,
  replies: {
    200: named('DeliveryDetails', {
      ...ConsoleDelivery.properties,
      /** Attempts that were made. */
      history: Type.Array(webhooks.Attempt),
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

export const consoleListEventTypes = operation({
  ...shared,
  id: 'console.listEventTypes',
  method: 'GET',
  path: '/console/event-types',
  store: 'none',
  summary: 'List the event types, each with a JSON schema and an example of its `data`',
  replies: { 200: Type.Array(inConsole(listEventTypes.spec.replies[200].items)) },
})
