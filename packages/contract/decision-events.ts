/** Recording and listing decision events: part 4.7 of the specification. */
import { Type } from 'typebox'
import { closed, DateTime, FreeObject, nullable } from './common.ts'
import { DecisionEventStatus, DecisionEventType, EventActorType, EvidenceStatus } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const Text = Type.String({ maxLength: 10_000 })
export const Name = Type.String({ minLength: 1, maxLength: 10_000 })
export const Tag = Type.String({ minLength: 1, maxLength: 64 })

export const EventActor = Type.Object({ id: Name, type: EventActorType, name: Type.Optional(Text) }, closed)

export const EventAction = Type.Object(
  {
    type: Name,
    description: Type.Optional(Text),
    input: Type.Optional(FreeObject),
    output: Type.Optional(FreeObject),
  },
  closed,
)

export const AiContext = Type.Object(
  {
    model: Type.Optional(Text),
    provider: Type.Optional(Text),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    reasoning: Type.Optional(Type.String({ maxLength: 50_000 })),
  },
  closed,
)

const Evidence = Type.Object(
  {
    id: TypedId('evidence', 'Evidence id; also the id under which it can be verified'),
    status: EvidenceStatus,
    chainHash: nullable(Type.String({ description: '`sha256:` and 64 hex digits once sealed' })),
    chainIndex: nullable(Type.Integer()),
  },
  closed,
)

const ShownActor = Type.Object(
  {
    id: Type.String({ maxLength: 10_000, description: 'Empty when it was redacted' }),
    type: EventActorType,
    name: Type.Optional(Text),
  },
  closed,
)

const sharedFields = {
  id: TypedId('decisionEvent', 'Event id'),
  decisionId: Type.String({ description: 'The idempotencyKey when one was given, else a new `dec_` id' }),
  type: DecisionEventType,
  status: DecisionEventStatus,
  actor: ShownActor,
  tags: Type.Array(Tag),
  createdAt: DateTime,
  updatedAt: DateTime,
}

export const DecisionEvent = Type.Object(
  {
    ...sharedFields,
    action: EventAction,
    aiContext: Type.Optional(AiContext),
    occurredAt: DateTime,
    evidence: Evidence,
  },
  closed,
)

const DecisionEventSummary = Type.Object({ ...sharedFields, action: Type.Object({ type: Name }, closed) }, closed)

export const NewDecisionEvent = Type.Object(
  {
    type: DecisionEventType,
    actor: EventActor,
    action: EventAction,
    aiContext: Type.Optional(AiContext),
    tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
    occurredAt: Type.Optional(
      Type.String({ ...DateTime, description: 'The time of arrival when absent; at most 24 hours in the future' }),
    ),
    idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  {
    ...closed,
    examples: [
      {
        type: 'ai_recommendation',
        actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
        action: {
          type: 'plan.adjust',
          description: 'Two sessions a week',
          input: { client: 'c-102' },
          output: { sessions: 2 },
        },
        aiContext: {
          model: 'planner-3',
          provider: 'in-house',
          confidence: 0.92,
          reasoning: 'Progress slowed in week six.',
        },
        tags: ['care-plan'],
        idempotencyKey: 'plan-102-2026-11-15',
      },
    ],
  },
)

export const recordDecisionEvent = operation({
  id: 'decisionEvents.record',
  surface: 'proof',
  method: 'POST',
  path: '/v1/decision-events',
  tag: 'Decision events',
  access: { kind: 'key', scope: 'proof:write' },
  store: 'batched',
  summary: 'Record a decision by a person, an agent or a system',
  description:
    'Answered after it is committed. The same `idempotencyKey` with the same body returns the first event with 200; with another body it is 409.',
  body: NewDecisionEvent,
  replies: { 200: DecisionEvent, 201: DecisionEvent },
  errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
})

export const listDecisionEvents = operation({
  id: 'decisionEvents.list',
  surface: 'proof',
  method: 'GET',
  path: '/v1/decision-events',
  tag: 'Decision events',
  access: { kind: 'key', scope: 'proof:read' },
  store: 'cell',
  envelope: 'page',
  summary: 'Decision events of this center, newest first, with an exact total',
  query: Type.Object({
    type: Type.Optional(DecisionEventType),
    status: Type.Optional(DecisionEventStatus),
    tag: Type.Optional(Tag),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  }),
  replies: { 200: DecisionEventSummary },
})
