/**
 * Webhook management: part 4.8 of the specification, with attempts, tests and recovery added. API keys call it under
 * `/api/v1`, a signed-in ADMIN under `/api`.
 */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { closed, DateTime, described, named, nullable } from './common.ts'
import { definition, operation } from './operation.ts'
import { DestinationType, routes, Url } from './webhook-destinations.ts'
import {
  Attempt,
  Delivery,
  DeliveryCount,
  DeliveryState,
  Description,
  EventId,
  Patterns,
  Recovery,
  RegisteredWebhook,
  SigningSecret,
  TrackedDelivery,
  Webhook,
  WebhookId,
} from './webhook-schemas.ts'

const read = key('proof:read', { or: 'webhooks:write', bound: 'kept' })
const write = key('proof:write', { or: 'webhooks:write', bound: 'kept' })
const admin = member('ADMIN')
const shared = { tag: 'Webhooks', store: 'cell', rate: 'management' } as const
const byKey = { ...shared, surface: 'proof', access: read } as const
const byMember = { ...shared, surface: 'platform', access: admin } as const
const changing = { ...shared, mounts: [{ access: write }, { access: admin }] } as const
/** In the specification, keys get these responses without an envelope. */
const bareForKeys = { ...shared, mounts: [{ access: write, envelope: 'bare' }, { access: admin }] } as const

const Id = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [example] })
const webhookParam = Type.Object({
  webhookId: Id("The webhook's ID, as returned when it was created.", 'whk_01kz9x4q8hfx5r3v7t2b6n0m1c'),
})
const eventParam = Type.Object({
  eventId: Id("The event's ID, as in the delivery.", 'msg_01kz9x4q8hfx5r3v7t2b6n0m1c'),
})

export const registerWebhook = definition({
  ...bareForKeys,
  id: 'webhooks.register',
  method: 'POST',
  path: '/webhooks',
  showsSecret: true,
  summary: 'Create a webhook',
  description:
    "Subscribes an endpoint to events. If you leave out `type`, the server posts events to the URL. Store `signingSecret`, which is shown only in this response: your receiver needs it to verify each delivery's signature. Next, send a test event with `POST /api/v1/webhooks/{webhookId}/test`.",
  body: named(
    'NewWebhook',
    {
      type: Type.Optional(DestinationType),
      url: Url,
      ...routes,
      events: Patterns,
      description: Type.Optional(Description),
      active: Type.Optional(Type.Boolean({ default: true, description: 'Whether events are sent from the start.' })),
    },
    {
      description: 'The webhook to create.',
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

const ListedWebhook = named(
  'ListedWebhook',
  {
    ...Webhook.properties,
    recent: named(
      'RecentDeliveries',
      {
        succeeded: described(DeliveryCount, 'The number of deliveries that your endpoint accepted.'),
        failed: described(DeliveryCount, "The number of deliveries that failed and won't be retried."),
        pending: described(DeliveryCount, 'The number of deliveries that are due or will be retried.'),
        held: described(DeliveryCount, 'The number of deliveries held while the webhook is turned off.'),
      },
      { description: 'The results of the newest 1,000 deliveries.' },
    ),
    secrets: Type.Array(
      named(
        'SecretAge',
        {
          createdAt: described(DateTime, 'When the secret was created.'),
          expiresAt: nullable(described(DateTime, 'When the secret stops being valid. Null for the current one.')),
        },
        { description: 'A valid signing secret, without its value.' },
      ),
      { description: 'The signing secrets that are valid now, without their values.' },
    ),
    recovery: nullable(described(Recovery, 'The last recovery. Null if there was none.')),
  },
  { description: 'A webhook, with the results of its recent deliveries.' },
)

export const listWebhooks = definition({
  ...shared,
  mounts: [{ access: read, looseQuery: true }, { access: admin }],
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description:
    "Returns the center's webhooks, newest first, with delivery figures, the age of their signing secrets and the last recovery.",
  replies: { 200: Type.Array(ListedWebhook) },
})

export const updateWebhook = definition({
  ...bareForKeys,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  summary: 'Update a webhook',
  description:
    'Changes where events are sent or which ones are sent, or turns the webhook on or off. A new `url` also replaces the credentials. If the server turned the webhook off, set `active` to true to turn it back on. Events that occurred in the meantime are held; to send them, call `POST /api/v1/webhooks/{webhookId}/recover`.',
  params: webhookParam,
  body: named(
    'WebhookPatch',
    {
      type: Type.Optional(DestinationType),
      url: Type.Optional(Url),
      ...routes,
      events: Type.Optional(Patterns),
      description: Type.Optional(Description),
      active: Type.Optional(Type.Boolean({ description: 'Whether events are sent.' })),
    },
    { description: 'What to change about the webhook.', examples: [{ events: ['*'], active: true }] },
  ),
  replies: { 200: Webhook },
  errors: ['NOT_FOUND'],
})

export const deleteWebhook = definition({
  ...changing,
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  summary: 'Delete a webhook',
  description:
    'Deletes the webhook and its signing secrets. The server sends no more events to it, not even those that it held.',
  params: webhookParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

const RotatedSecret = named(
  'RotatedSecret',
  { id: WebhookId, signingSecret: SigningSecret },
  { description: "The webhook's new signing secret." },
)
const TestEvent = named(
  'TestEvent',
  {
    eventId: EventId,
    type: Type.Literal('ping', { description: 'The type of the event that is sent.' }),
  },
  { description: 'The test event that is sent.' },
)

export const rotateWebhookSecret = definition({
  ...bareForKeys,
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
  showsSecret: true,
  summary: 'Rotate a signing secret',
  description:
    'Creates a new signing secret. The previous one stays valid for 24 hours, or for `expirePreviousAfterSeconds`. During this time, deliveries are signed with the new secret, and `X-Service-Signature-Previous` has the signature made with the previous one. If a receiver rejects a delivery as if its signature were wrong, the next attempt uses the other secret.',
  params: webhookParam,
  body: named(
    'SecretRotation',
    {
      expirePreviousAfterSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 86_400,
          default: 86_400,
          description: 'How long previous secrets stay valid, in seconds. Send 0 after a secret has leaked.',
        }),
      ),
    },
    { description: 'How to treat previous secrets.', examples: [{ expirePreviousAfterSeconds: 0 }] },
  ),
  replies: { 200: RotatedSecret },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const ScheduledDelivery = named(
  'ScheduledDelivery',
  {
    webhookId: described(WebhookId, 'The webhook that the event is sent to.'),
    status: Type.Literal('scheduled', { description: 'Always `scheduled`: the event will be sent now.' }),
  },
  { description: 'A delivery that will be sent again.' },
)
const RetriedEvent = named(
  'RetriedEvent',
  {
    eventId: EventId,
    deliveries: Type.Array(ScheduledDelivery, {
      description: 'The deliveries that will be sent again, one for each endpoint.',
    }),
  },
  { description: 'An event that will be sent again.' },
)

export const retryWebhookEvent = definition({
  ...changing,
  id: 'webhooks.retryEvent',
  method: 'POST',
  path: '/webhooks/events/{eventId}/retry',
  summary: 'Retry an event',
  description:
    'Immediately sends the event again to every endpoint where it failed. The retry schedule starts over, but `attempts` keeps counting.',
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
  summary: 'List webhook deliveries',
  description:
    "Returns a webhook's deliveries, newest first, with the result of the last attempt. For every attempt, see `GET /api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts`.",
  params: webhookParam,
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'The number of deliveries to return.' }),
  }),
  replies: { 200: Type.Array(Delivery) },
  errors: ['NOT_FOUND'],
})

export const listDeliveryAttempts = operation({
  ...byKey,
  id: 'webhooks.listAttempts',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts',
  summary: 'List delivery attempts',
  description: 'Returns every attempt to deliver one event to one webhook, with its duration and the response.',
  params: Type.Object({
    webhookId: Id("The webhook's ID, as returned when it was created.", 'whk_01kz9x4q8hfx5r3v7t2b6n0m1c'),
    eventId: Id("The event's ID, as in the delivery.", 'msg_01kz9x4q8hfx5r3v7t2b6n0m1c'),
  }),
  replies: { 200: Type.Array(Attempt) },
  errors: ['NOT_FOUND'],
})

export const testWebhook = definition({
  ...changing,
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  summary: 'Send a test event',
  description:
    "Sends a `ping` event to this webhook, whichever events it subscribes to. Check the result in the webhook's deliveries.",
  params: webhookParam,
  replies: { 202: TestEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const recoverWebhook = definition({
  ...changing,
  id: 'webhooks.recover',
  method: 'POST',
  path: '/webhooks/{webhookId}/recover',
  summary: 'Recover missed events',
  description:
    'Sends all held and failed events since a given time again, in the background. The list of webhooks shows the progress; with an API key, you can also call `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}`.',
  params: webhookParam,
  body: named(
    'NewRecovery',
    { since: described(DateTime, 'Events since this time are sent again.', '2026-11-14T00:00:00.000Z') },
    { description: 'Which events to send again.', examples: [{ since: '2026-11-14T00:00:00.000Z' }] },
  ),
  replies: { 202: Recovery },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const getRecovery = operation({
  ...byKey,
  id: 'webhooks.getRecovery',
  method: 'GET',
  path: '/v1/webhooks/{webhookId}/recoveries/{recoveryId}',
  summary: 'Retrieve a recovery',
  description: "Returns a recovery's status and progress.",
  params: Type.Object({
    webhookId: Id("The webhook's ID, as returned when it was created.", 'whk_01kz9x4q8hfx5r3v7t2b6n0m1c'),
    recoveryId: Id("The recovery's ID, as returned when it started.", 'rcv_01kz9x4q8hfx5r3v7t2b6n0m1c'),
  }),
  replies: { 200: Recovery },
  errors: ['NOT_FOUND'],
})

export const trackDeliveries = operation({
  ...byMember,
  id: 'deliveries.list',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  summary: "List a webhook's deliveries",
  description:
    "Returns a webhook's deliveries, newest first, including those that haven't been attempted yet. To read the next page, send `next` as `before`.",
  params: webhookParam,
  query: Type.Object(
    {
      state: Type.Optional(DeliveryState),
      before: Type.Optional(
        Type.String({
          maxLength: 255,
          description: 'The value of `next` from the previous page.',
          examples: ['msg_01kz9x4q8hfx5r3v7t2b6n0m1c'],
        }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'The number of deliveries per page.' }),
    },
    closed,
  ),
  replies: {
    200: named(
      'TrackedDeliveries',
      {
        deliveries: Type.Array(TrackedDelivery, { description: 'The deliveries, newest first.' }),
        next: nullable(
          Type.String({ description: 'The value to send as `before` to read the next page. Null on the last page.' }),
        ),
      },
      { description: "A page of a webhook's deliveries." },
    ),
  },
  errors: ['NOT_FOUND'],
})

export const getDelivery = operation({
  ...byMember,
  id: 'deliveries.get',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries/{eventId}',
  summary: 'Retrieve a delivery',
  description: 'Returns one delivery with its attempts, its retry schedule and the exact body that is sent.',
  params: listDeliveryAttempts.spec.params,
  replies: {
    200: named(
      'DeliveryDetails',
      {
        ...TrackedDelivery.properties,
        history: Type.Array(Attempt, { description: 'The attempts that were made, oldest first.' }),
        scheduleSeconds: Type.Array(Type.Number(), {
          description: 'The pause before each attempt in the schedule, in seconds.',
        }),
        body: nullable(
          Type.String({
            description:
              'The exact body that the last attempt sent, or that the next one would send. Null once the body is no longer stored.',
          }),
        ),
      },
      { description: 'A delivery with its attempts and its body.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
