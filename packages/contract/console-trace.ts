/** A decision's path from the requests about it to the deliveries of its events. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { consoleOperation, staff } from './console-inbox.ts'
import { ChainDomain, DecisionEventStatus } from './enums.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const TracedRequest = named(
  'TracedRequest',
  {
    at: described(DateTime, 'When the request was made.'),
    requestId: Type.String({ description: "The request's ID, or the job's name if a job acted." }),
    actorId: nullable(Type.String({ description: 'The member, API key or job that acted. Null if unknown.' })),
    type: Type.String({ description: "The audit entry's type." }),
    action: Type.String({ description: 'The specific change within the type.' }),
  },
  { description: 'A request about the decision.' },
)

const TracedEntry = named(
  'TracedEntry',
  {
    domain: ChainDomain,
    index: Type.Integer({ minimum: 0, description: "The entry's index in the chain." }),
    hash: Type.String({ description: 'The hash of the entry.' }),
    sealedAt: Type.String({ description: 'When the entry was sealed.' }),
    type: nullable(
      Type.String({ description: 'What changed, for an entry in the `history` chain. Null for other entries.' }),
    ),
  },
  { description: 'A chain entry about the decision.' },
)

const TracedDelivery = named(
  'TracedDelivery',
  {
    eventId: Type.String({ description: "The webhook event's ID." }),
    eventType: Type.String({ description: "The webhook event's type, such as `dpu.sealed`." }),
    createdAt: described(DateTime, 'When the event occurred.'),
    webhookId: TypedId('webhook', 'The webhook that the event is sent to.'),
    url: Type.String({ description: "The URL that the event is sent to. Empty unless you're an ADMIN." }),
    state: Type.String({ description: "The delivery's status: `success`, `failed`, `pending` or `held`." }),
    attempts: Type.Integer({ minimum: 0, description: 'The number of delivery attempts so far.' }),
    attemptedAt: nullable(described(DateTime, 'When the last attempt ended. Null before the first one.')),
    responseStatus: nullable(
      Type.Integer({ description: 'The HTTP status that the endpoint returned. Null if it sent no response.' }),
    ),
    nextRetryAt: nullable(described(DateTime, 'When the next attempt is due. Null if none is scheduled.')),
  },
  { description: 'A delivery of an event about the decision.' },
)

export const getTrace = operation({
  ...consoleOperation,
  id: 'console.getTrace',
  method: 'GET',
  path: '/console/trace/{id}',
  access: staff,
  store: 'cell',
  summary: 'Trace a decision',
  description:
    "Returns what happened to a decision, from the requests about it to its chain entries and deliveries. Send the ID of a decision event, or the ID of a request that changed one. The ID of the request that recorded the decision isn't stored, but its API key and time are.",
  params: RecordParam,
  replies: {
    200: named(
      'DecisionTrace',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        decisionId: Type.String({ description: "The decision's own ID." }),
        status: DecisionEventStatus,
        recordedAt: described(DateTime, 'When the decision was recorded.'),
        recordedBy: nullable(
          Type.String({ description: 'The API key that recorded the decision. Null if a member or the service did.' }),
        ),
        requests: Type.Array(TracedRequest, {
          description: 'Up to 100 requests about the decision, in order.',
        }),
        entries: Type.Array(TracedEntry, {
          description: "The decision's own chain entry and later entries about the decision, in order.",
        }),
        deliveries: Type.Array(TracedDelivery, {
          description: 'Up to 100 deliveries of events about the decision. Only an ADMIN sees URLs.',
        }),
      },
      { description: 'What happened to a decision, in order.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
