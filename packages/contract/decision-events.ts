/** Recording and listing decision events: part 4.7 of the specification. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { closed, DateTime, described, FreeObject, named, nullable, PageQuery } from './common.ts'
import { Informed } from './decision-lines.ts'
import { DecisionEventStatus, DecisionEventType, EventActorType, EvidenceStatus, YesNo } from './enums.ts'
import { RecordId, TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'

export const Text = Type.String({ maxLength: 10_000 })
export const Name = Type.String({ minLength: 1, maxLength: 10_000 })
export const Tag = Type.String({ minLength: 1, maxLength: 64 })

export const EventActor = named(
  'EventActor',
  {
    id: described(
      Name,
      "The actor's ID in your own system. Policies, API keys and list filters refer to this ID, so keep it stable.",
      'agent-7',
    ),
    type: EventActorType,
    name: Type.Optional(described(Text, 'The name that approvers see.', 'Refund assistant')),
  },
  { description: 'Who or what made the decision.' },
)

export const EventAction = named(
  'EventAction',
  {
    type: described(
      Name,
      "The kind of action, under a name that you choose. Policies match this name, and the action type's template shows approvers a readable one.",
      'refund.create',
    ),
    description: Type.Optional(
      described(
        Text,
        "What the action does, in the requester's words. If the center has a template for the action type, approvers see the template's headline instead.",
        'Refund $120 to customer 4412',
      ),
    ),
    input: Type.Optional(
      described(FreeObject, "The action's arguments, as a JSON object. Policy conditions read values from it.", {
        amount: 120,
        customer: 'cus-4412',
      }),
    ),
    output: Type.Optional(
      described(FreeObject, "The action's actual or proposed result, as a JSON object.", {
        refund: 're-8812',
      }),
    ),
  },
  { description: 'The action that a decision is about.' },
)

export const AiContext = named(
  'AiContext',
  {
    model: Type.Optional(described(Text, 'The model that made the decision.', 'planner-3')),
    provider: Type.Optional(described(Text, 'Who runs the model.', 'in-house')),
    confidence: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "The model's own confidence, from 0 to 1.",
        examples: [0.92],
      }),
    ),
    reasoning: Type.Optional(
      Type.String({
        maxLength: 50_000,
        description: 'The reasoning behind the decision, as the model or your code states it.',
        examples: ['Progress slowed in week six.'],
      }),
    ),
    modelVersion: Type.Optional(described(Text, "The model's exact version.", '2026-10-01')),
    agentVersion: Type.Optional(described(Text, "The version of your agent's code.", '1.4.2')),
    toolCallId: Type.Optional(
      described(Text, 'The ID of the tool call in your framework that led to this decision.', 'call_9f2c'),
    ),
    traceId: Type.Optional(
      described(Text, 'The ID of the trace that the run belongs to.', '4bf92f3577b34da6a3ce929d0e0e4736'),
    ),
    spanId: Type.Optional(described(Text, 'The ID of the span within the trace.', '00f067aa0ba902b7')),
    promptDigest: Type.Optional(
      described(
        Text,
        'A digest of the prompt, so that you can prove later which prompt was used without storing it here.',
        'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ),
    ),
  },
  { description: 'The model and the run behind a decision. All fields are optional and are sealed as you send them.' },
)

export const ActionDigest = Type.String({
  description:
    'The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out.',
})
export const ActionSalt = nullable(
  Type.String({
    description:
      'The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted.',
  }),
)

export const RiskScore = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded.',
  examples: [0.35],
})

/** Optional facts about a decision, with the same fields wherever a decision is sent, returned or sealed. */
export const optionalFields = {
  aiContext: Type.Optional(AiContext),
  riskScore: Type.Optional(RiskScore),
  reason: Type.Optional(
    described(
      Text,
      "Why the action is needed, in the requester's words. Approvers read it.",
      'The parcel arrived damaged.',
    ),
  ),
}

const EvidenceState = named(
  'EvidenceState',
  {
    id: TypedId('evidence', "The ID of the decision's evidence. Public verification accepts this ID too."),
    status: EvidenceStatus,
    chainHash: nullable(
      Type.String({
        description:
          'The hash of the chain entry: `sha256:` followed by 64 hex digits. Null until the decision is sealed.',
      }),
    ),
    chainIndex: nullable(
      Type.Integer({
        description: "The entry's index in the chain, counted from 0. Null until the decision is sealed.",
      }),
    ),
  },
  { description: 'Whether the decision is sealed, and where it is in the chain.' },
)

const ShownActor = named(
  'ShownEventActor',
  {
    id: Type.String({
      maxLength: 10_000,
      description: "The actor's ID in your own system. Empty if it has been redacted.",
    }),
    type: EventActorType,
    name: Type.Optional(described(Text, "The actor's name, if one was sent.")),
  },
  { description: 'Who or what made the decision.' },
)

const sharedFields = {
  id: TypedId('decisionEvent', "The decision event's ID."),
  decisionId: Type.String({
    description: "The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent.",
  }),
  type: DecisionEventType,
  status: DecisionEventStatus,
  actor: ShownActor,
  tags: Type.Array(Tag, { description: 'The tags that were sent with the decision.' }),
  createdAt: described(DateTime, 'When the server recorded the decision.'),
  updatedAt: described(DateTime, 'When the decision last changed.'),
}

export const DecisionEvent = named(
  'DecisionEvent',
  {
    ...sharedFields,
    action: described(EventAction, 'What was decided, or what is to be done.'),
    ...optionalFields,
    actionDigest: ActionDigest,
    actionSalt: ActionSalt,
    occurredAt: described(
      DateTime,
      'When the decision was made, as stated by the caller. Defaults to the time when the request arrived.',
    ),
    traceparent: Type.Optional(
      Type.String({
        description:
          "The `traceparent` header of the request that recorded the decision. It helps you find related logs and isn't sealed.",
      }),
    ),
    evidence: EvidenceState,
  },
  { description: 'A recorded decision.' },
)

export const DecisionEventSummary = named(
  'DecisionEventSummary',
  {
    ...sharedFields,
    action: named(
      'ActionSummary',
      { type: described(Name, "The action's type, as it was sent.") },
      { description: 'The action, without its content.' },
    ),
    opened: Type.Optional(
      Type.Boolean({
        description: 'For signed-in members: whether you have opened the decision since its content last changed.',
      }),
    ),
  },
  { description: "A recorded decision, without the action's content." },
)

export const Replaces = RecordId(
  'The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place.',
)

/** What a caller sends about a decision besides its actor. */
export const submittedFields = {
  action: described(EventAction, 'What was decided, or what is to be done.'),
  ...optionalFields,
  tags: Type.Optional(
    Type.Array(Tag, {
      maxItems: 50,
      description: 'Words to file the decision under. Policies can match tags, and you can filter lists by a tag.',
      examples: [['refunds']],
    }),
  ),
  replaces: Type.Optional(Replaces),
}

export const NewDecisionEvent = named(
  'NewDecisionEvent',
  {
    type: DecisionEventType,
    actor: described(EventActor, 'Who or what made the decision.'),
    ...submittedFields,
    occurredAt: Type.Optional(
      Type.String({
        ...DateTime,
        description:
          'When the decision was made. Defaults to the time when the request arrives, and can be at most 24 hours in the future.',
      }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'A key of your own that makes it safe to repeat the request. It becomes the `decisionId` and must be unique in the center.',
        examples: ['plan-102-2026-11-15'],
      }),
    ),
  },
  {
    description: 'The decision to record.',
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
  summary: 'Record a decision event',
  description:
    "Records a decision that a person, an agent or a system has already made. The server responds once the event is committed. If you repeat the request with the same `idempotencyKey` and the same body, the response is 200 with the first event; with a different body, it's 409. To seal the decision, send an approval to `POST /api/v1/decision-events/{id}/approvals`.",
  body: NewDecisionEvent,
  replies: { 200: DecisionEvent, 201: DecisionEvent },
  errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
})

/** Filters for lists of decisions. `offset` and `page` count from `cursor`. */
export const decisionFilters = {
  type: Type.Optional(DecisionEventType),
  status: Type.Optional(DecisionEventStatus),
  tag: Type.Optional(described(Tag, 'Only decisions with this tag.', 'refunds')),
  waiting: Type.Optional(YesNo('`true` for decisions that are waiting for approval, `false` for all others.')),
  actorId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Only decisions by this actor.',
      examples: ['agent-7'],
    }),
  ),
  decisionId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Only the decision with this ID. You can use any of the decision's IDs.",
      examples: ['plan-102-2026-11-15'],
    }),
  ),
  from: Type.Optional(Type.String({ ...DateTime, description: 'Only decisions recorded at this time or later.' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Only decisions recorded before this time.' })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "`pagination.nextCursor` from the previous page. New decisions don't shift the pages that follow.",
      examples: ['AaR9x0c3PQ'],
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
      summary: 'List decisions',
      description:
        "Returns the center's decisions, newest first. Set `waiting=true` to list only those that are waiting for approval. Decisions must match all filters. Each item is a summary without the action's content. To read a long list, follow `pagination.nextCursor` until it's null.",
      query: Type.Object({ ...PageQuery.properties, ...decisionFilters, informed: Informed }, closed),
      counts: named(
        'DecisionCounts',
        {
          byStatus: named(
            'DecisionsByStatus',
            {
              recorded: Type.Integer({
                description: 'The number of decisions that nobody has approved or refused yet.',
              }),
              approved: Type.Integer({
                description: 'The number of decisions that have a first approval and are waiting for another.',
              }),
              sealed: Type.Integer({
                description: 'The number of decisions that were approved, or needed no approval, and are sealed.',
              }),
              rejected: Type.Integer({
                description: 'The number of decisions that were refused. Refusals are sealed too.',
              }),
            },
            { description: 'The number of decisions with each status.' },
          ),
          waiting: Type.Integer({ description: 'The number of decisions that are waiting for approval.' }),
        },
        {
          description: "Counts of the decisions that match all of the request's filters except `status` and `waiting`.",
        },
      ),
    },
  ],
  id: 'decisionEvents.list',
  method: 'GET',
  path: '/decision-events',
  tag: 'Decision events',
  store: 'cell',
  envelope: 'page',
  summary: 'List decision events',
  description:
    "Returns the center's decision events, newest first, with an exact total. Decision events must match all filters. Each item is a summary without the action's content. To read a long list, follow `pagination.nextCursor` until it's null.",
  query: Type.Object(
    {
      ...decisionFilters,
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'The number of items per page.' }),
      offset: Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description: 'The number of items to skip, counted from the start or from `cursor`.',
      }),
    },
    closed,
  ),
  replies: { 200: DecisionEventSummary },
})
