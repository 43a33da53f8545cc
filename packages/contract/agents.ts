/** Decisions of agents: the server evaluates the policies first, and seals what is decided at once. */
import { Type } from 'typebox'
import { named, nullable } from './common.ts'
import { ActionDigest, ActionSalt, Name, submittedFields, Text } from './decision-events.ts'
import { DecisionOutcome, EvidenceStatus } from './enums.ts'
import { AppliedPolicy, ChainHash } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Receipt } from './transparency.ts'

const AgentDecision = named('AgentDecision', {
  decisionId: Type.String({ description: 'The `Idempotency-Key` of the request, or a new `dec_` id' }),
  eventId: TypedId('decisionEvent', 'Decision event; approve it under this id where that is required'),
  outcome: DecisionOutcome,
  policies: Type.Array(AppliedPolicy, { description: 'Policies that applied' }),
  actionDigest: ActionDigest,
  actionSalt: ActionSalt,
  dpu: named('DecisionDpu', {
    id: TypedId('dpu', 'DPU id'),
    status: EvidenceStatus,
    chainHash: nullable(ChainHash),
  }),
  receipt: nullable(Receipt),
  note: Type.Optional(Type.String({ description: 'What to do next; absent when there is nothing to do' })),
})

export const NewAgentDecision = named(
  'NewAgentDecision',
  {
    agent: named('Agent', { id: Name, name: Type.Optional(Text) }),
    ...submittedFields,
  },
  {
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
)

export const decide = operation({
  id: 'agents.decide',
  surface: 'proof',
  method: 'POST',
  path: '/v1/agents/decide',
  tag: 'Agents',
  access: { kind: 'key', scope: 'proof:write', or: 'decide', bound: true },
  store: 'sequenced',
  // The key names the decision: the same key returns the decision in its present state, and seals it if that failed before.
  idempotency: 'own',
  summary: 'Ask whether an agent may act: refused, sealed at once, or held for approval',
  description:
    'Call it before the agent acts, and act only on the outcome `completed`. Send an `Idempotency-Key`: it becomes the `decisionId`, and a repeated request returns the decision in its present state. `approval_required` means that a person has to approve it first. `refused` answers a repeated request after a person has refused the decision, it has expired or another one has replaced it. `pending` means that it could not be sealed, because sealing failed or the chain was busy for too long: nothing is decided yet, and a request with the same key tries again. A policy that forbids the action answers 422 `POLICY_VIOLATION`; the refusal is sealed, `details.eventId` names it, and the same key and body get the same answer later.',
  body: NewAgentDecision,
  replies: { 200: AgentDecision, 201: AgentDecision },
  errors: ['CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})
