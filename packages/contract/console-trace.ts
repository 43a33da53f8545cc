/** The way of a decision from the requests about it to the deliveries of its events. */
import { Type } from 'typebox'
import { DateTime, named, nullable } from './common.ts'
import { consoleOperation, staff } from './console-inbox.ts'
import { ChainDomain, DecisionEventStatus } from './enums.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const TracedRequest = named('TracedRequest', {
  at: DateTime,
  requestId: Type.String({ description: 'Request id, or the name of a job' }),
  actorId: nullable(Type.String({ description: 'Member, API key or job' })),
  type: Type.String(),
  action: Type.String(),
})

const TracedEntry = named('TracedEntry', {
  domain: ChainDomain,
  index: Type.Integer({ minimum: 0 }),
  hash: Type.String(),
  sealedAt: Type.String(),
  type: nullable(Type.String({ description: 'Of an entry of `history`: what changed' })),
})

const TracedDelivery = named('TracedDelivery', {
  eventId: Type.String(),
  eventType: Type.String(),
  createdAt: DateTime,
  webhookId: TypedId('webhook', 'Webhook id'),
  url: Type.String(),
  state: Type.String({ description: '`success`, `failed`, `pending` or `held`' }),
  attempts: Type.Integer({ minimum: 0 }),
  attemptedAt: nullable(DateTime),
  responseStatus: nullable(Type.Integer()),
  nextRetryAt: nullable(DateTime),
})

export const getTrace = operation({
  ...consoleOperation,
  id: 'console.getTrace',
  method: 'GET',
  path: '/console/trace/{id}',
  access: staff,
  store: 'cell',
  summary: 'Trace a decision from the requests about it to its entries and deliveries',
  description:
    'The id is that of a decision event, or of a request that changed one. A request that recorded a decision is not kept with it: its key and its time are.',
  params: RecordParam,
  replies: {
    200: named('DecisionTrace', {
      eventId: TypedId('decisionEvent', 'Decision event id'),
      decisionId: Type.String(),
      status: DecisionEventStatus,
      recordedAt: DateTime,
      recordedBy: nullable(Type.String({ description: 'API key that recorded it' })),
      requests: Type.Array(TracedRequest, { description: 'What was done about it, in order, at most 100' }),
      entries: Type.Array(TracedEntry, { description: 'Its entry and later ones about it, in order' }),
      deliveries: Type.Array(TracedDelivery, { description: 'At most 100; URLs only for an ADMIN' }),
    }),
  },
  errors: ['NOT_FOUND'],
})
