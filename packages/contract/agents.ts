/** Decisions by agents: policies are asked first, and what is decided is sealed at once. */
import { Type } from 'typebox'
import { closed, nullable } from './common.ts'
import { AiContext, EventAction, Name, Tag, Text } from './decision-events.ts'
import { DecisionOutcome, EvidenceStatus } from './enums.ts'
import { AppliedPolicy, ChainHash } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Receipt } from './transparency.ts'

const AgentDecision = Type.Object(
  {
    decisionId: Type.String({ description: 'The Idempotency-Key when one was given, else a new `dec_` id' }),
    eventId: TypedId('decisionEvent', 'The decision event, to be approved where that is required'),
    outcome: DecisionOutcome,
    policies: Type.Array(AppliedPolicy, { description: 'The policies that applied' }),
    dpu: Type.Object({ id: TypedId('dpu', 'DPU id'), status: EvidenceStatus, chainHash: nullable(ChainHash) }, closed),
    receipt: nullable(Receipt),
    note: Type.Optional(Type.String({ description: 'What to do next, where there is something to do' })),
  },
  closed,
)

export const decide = operation({
  id: 'agents.decide',
  surface: 'proof',
  method: 'POST',
  path: '/v1/agents/decide',
  tag: 'Agents',
  access: { kind: 'key', scope: 'proof:write' },
  store: 'sequenced',
  // The key is the decision's own: the same key returns the decision as it stands now, and seals it if it is not yet.
  idempotency: 'own',
  summary: 'Let an agent decide: refused, sealed, or waiting for a person',
  description:
    'Send an `Idempotency-Key`: it becomes the decisionId, and a repeated call returns the decision as it stands. Only the outcome `completed` means that the decision stands. `dpu.status` is `pending` while a person has to approve (`approval_required`), and when sealing failed or the chain was busy for too long: then the outcome is `pending`, nothing counts as decided, and the same key tries again.',
  body: Type.Object(
    {
      agent: Type.Object({ id: Name, name: Type.Optional(Text) }, closed),
      action: EventAction,
      aiContext: Type.Optional(AiContext),
      riskScore: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      reason: Type.Optional(Text),
      tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
    },
    {
      ...closed,
      examples: [
        {
          agent: { id: 'agent-7', name: 'Stock keeper' },
          action: {
            type: 'stock.reorder',
            description: 'Order 40 boxes',
            input: { sku: 'A-17' },
            output: { boxes: 40 },
          },
          aiContext: { model: 'keeper-2', provider: 'in-house', confidence: 0.88 },
          riskScore: 0.2,
          reason: 'Nine boxes left, eleven a week are used.',
        },
      ],
    },
  ),
  replies: { 200: AgentDecision, 201: AgentDecision },
  errors: ['CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})
