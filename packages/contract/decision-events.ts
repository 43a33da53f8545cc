/** Recording and listing decision events: part 4.7 of the specification. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { closed, DateTime, FreeObject, named, nullable, PageQuery } from './common.ts'
import { DecisionEventStatus, DecisionEventType, EventActorType, EvidenceStatus, YesNo } from './enums.ts'
import { RecordId, TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'

export const Text = Type.String({ maxLength: 10_000 })
export const Name = Type.String({ minLength: 1, maxLength: 10_000 })
export const Tag = Type.String({ minLength: 1, maxLength: 64 })

export const EventActor = named('EventActor', { id: Name, type: EventActorType, name: Type.Optional(Text) })

export const EventAction = named('EventAction', {
  type: Name,
  description: Type.Optional(Text),
  input: Type.Optional(FreeObject),
  output: Type.Optional(FreeObject),
})

export const AiContext = named('AiContext', {
  model: Type.Optional(Text),
  provider: Type.Optional(Text),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  reasoning: Type.Optional(Type.String({ maxLength: 50_000 })),
  modelVersion: Type.Optional(Text),
  agentVersion: Type.Optional(Text),
  toolCallId: Type.Optional(Text),
  traceId: Type.Optional(Text),
  spanId: Type.Optional(Text),
  promptDigest: Type.Optional(Text),
})

export const ActionDigest = Type.String({
  description:
    '`sha256:` and the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent; absent members are left out',
})
export const ActionSalt = nullable(
  Type.String({ description: 'The salt of `actionDigest`, in base64url; null after a redaction of a digested value' }),
)

export const RiskScore = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Risk by the estimate of the caller. Without one, every `riskThreshold` counts as exceeded',
})

/** What a caller may say of a decision, in the same words wherever one is recorded, asked for, answered with or sealed. */
export const optionalFields = {
  aiContext: Type.Optional(AiContext),
  riskScore: Type.Optional(RiskScore),
  reason: Type.Optional(Text),
}

const EvidenceState = named('EvidenceState', {
  id: TypedId('evidence', 'Evidence id; public verification takes it too'),
  status: EvidenceStatus,
  chainHash: nullable(Type.String({ description: '`sha256:` and 64 hex digits; null until the decision is sealed' })),
  chainIndex: nullable(Type.Integer({ description: 'Index in the hash chain; null until the decision is sealed' })),
})

const ShownActor = named('ShownEventActor', {
  id: Type.String({ maxLength: 10_000, description: 'Empty after it was redacted' }),
  type: EventActorType,
  name: Type.Optional(Text),
})

const sharedFields = {
  id: TypedId('decisionEvent', 'Event id'),
  decisionId: Type.String({ description: 'The `idempotencyKey` of the request, or a new `dec_` id' }),
  type: DecisionEventType,
  status: DecisionEventStatus,
  actor: ShownActor,
  tags: Type.Array(Tag),
  createdAt: DateTime,
  updatedAt: DateTime,
}

export const DecisionEvent = named('DecisionEvent', {
  ...sharedFields,
  action: EventAction,
  ...optionalFields,
  actionDigest: ActionDigest,
  actionSalt: ActionSalt,
  occurredAt: DateTime,
  traceparent: Type.Optional(
    Type.String({
      description: 'The `traceparent` header of the request that recorded it. It helps to find logs and is not sealed',
    }),
  ),
  evidence: EvidenceState,
})

export const DecisionEventSummary = named('DecisionEventSummary', {
  ...sharedFields,
  action: named('ActionSummary', { type: Name }),
  opened: Type.Optional(
    Type.Boolean({ description: 'Where a member reads: whether you have opened it, with its present `actionDigest`' }),
  ),
})

export const Replaces = RecordId(
  'A decision of the same actor that still waits, and that this one replaces; it is refused with the reason `replaced`',
)

/** What a caller sends of a decision besides its actor. */
export const submittedFields = {
  action: EventAction,
  ...optionalFields,
  tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
  replaces: Type.Optional(Replaces),
}

export const NewDecisionEvent = named(
  'NewDecisionEvent',
  {
    type: DecisionEventType,
    actor: EventActor,
    ...submittedFields,
    occurredAt: Type.Optional(
      Type.String({ ...DateTime, description: 'Default: the time of arrival; at most 24 hours in the future' }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Becomes the `decisionId`, unique in the center' }),
    ),
  },
  {
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
  access: { kind: 'key', scope: 'proof:write', or: 'decide', bound: true },
  store: 'batched',
  summary: 'Record a decision of a person, an agent or a system',
  description:
    'Use it for a decision that was already made. The server replies after the event is committed. A repeated request with the same `idempotencyKey` and the same body returns the first event with 200; with another body it is refused with 409. To seal the decision, send an approval to `POST /api/v1/decision-events/{id}/approvals`.',
  body: NewDecisionEvent,
  replies: { 200: DecisionEvent, 201: DecisionEvent },
  errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
})

/** Filters of a list of decisions. `offset` or `page` counts on from `cursor`. */
export const decisionFilters = {
  type: Type.Optional(DecisionEventType),
  status: Type.Optional(DecisionEventStatus),
  tag: Type.Optional(Tag),
  waiting: Type.Optional(YesNo('Whether a policy asks for an approval that is missing')),
  actorId: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000, description: 'Id of who or what decided' })),
  decisionId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Decision id, or any other id of the same record' }),
  ),
  from: Type.Optional(Type.String({ ...DateTime, description: 'Recorded at this time or later' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Recorded before this time' })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: '`pagination.nextCursor` of the page before; new decisions do not move it',
    }),
  ),
}

export const listDecisionEvents = definition({
  mounts: [
    { access: key('proof:read', { bound: true }) },
    {
      id: 'decisions.list',
      access: member('ADMIN', 'INSTRUCTOR'),
      path: '/decisions',
      tag: 'Decisions',
      summary: 'List decisions of the center, newest first; `waiting=true` lists those that wait for an approval',
      query: Type.Object({ ...PageQuery.properties, ...decisionFilters }, closed),
      counts: named(
        'DecisionCounts',
        {
          byStatus: named('DecisionsByStatus', {
            recorded: Type.Integer(),
            approved: Type.Integer(),
            sealed: Type.Integer(),
            rejected: Type.Integer(),
          }),
          waiting: Type.Integer({ description: 'Those that wait for an approval' }),
        },
        { description: 'With every filter of the request except `status` and `waiting`' },
      ),
    },
  ],
  id: 'decisionEvents.list',
  method: 'GET',
  path: '/decision-events',
  tag: 'Decision events',
  store: 'cell',
  envelope: 'page',
  summary: 'List decision events, newest first, with an exact total',
  description:
    'All given filters must match. An item is a summary, without the content of the action. To read a long list, follow `pagination.nextCursor` until it is null.',
  query: Type.Object(
    {
      ...decisionFilters,
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page' }),
      offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Items to skip' }),
    },
    closed,
  ),
  replies: { 200: DecisionEventSummary },
})
