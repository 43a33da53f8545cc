/** Agents' decisions: the server evaluates the policies first, and seals at once what needs no approval. */
import { Type } from 'typebox'
import { described, named, nullable } from './common.ts'
import { ActionDigest, ActionSalt, Name, submittedFields, Text } from './decision-events.ts'
import { DecisionOutcome, EvidenceStatus } from './enums.ts'
import { AppliedPolicy, ChainHash } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Receipt } from './transparency.ts'

const AgentDecision = named(
  'AgentDecision',
  {
    decisionId: Type.String({
      description: "The request's `Idempotency-Key`, or a new `dec_` ID if no key was sent.",
    }),
    eventId: TypedId(
      'decisionEvent',
      "The decision event's ID. If an approval is required, use this ID to follow the decision.",
    ),
    outcome: DecisionOutcome,
    policies: Type.Array(AppliedPolicy, { description: 'The policies that applied.' }),
    actionDigest: ActionDigest,
    actionSalt: ActionSalt,
    dpu: named(
      'DecisionDpu',
      {
        id: TypedId('dpu', "The DPU's ID."),
        status: EvidenceStatus,
        chainHash: nullable(described(ChainHash, 'The hash of the chain entry. Null until the decision is sealed.')),
      },
      { description: "The DPU that holds the decision's evidence." },
    ),
    receipt: nullable(described(Receipt, 'The receipt for the seal. Null until the decision is sealed.')),
    approvalUrl: nullable(
      Type.String({
        description:
          'The page where a member can approve or refuse. The URL contains no credential. Null unless `outcome` is `approval_required`.',
      }),
    ),
    note: Type.Optional(Type.String({ description: 'What to do next. Absent if there is nothing to do.' })),
  },
  { description: 'The answer to an agent that asked whether it may act.' },
)

export const NewAgentDecision = named(
  'NewAgentDecision',
  {
    agent: named(
      'Agent',
      {
        id: described(
          Name,
          "The agent's ID in your own system. If your API key is bound to an actor, this must be that actor's ID.",
          'agent-7',
        ),
        name: Type.Optional(described(Text, 'The name that approvers see.', 'Stock keeper')),
      },
      { description: 'The agent that wants to act.' },
    ),
    ...submittedFields,
  },
  {
    description: 'What an agent wants to do.',
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
        reason: 'Nine boxes are left, and we use eleven a week.',
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
  // The key identifies the decision: the same key returns it as it is now, and seals it if that failed before.
  idempotency: 'own',
  summary: 'Ask whether an agent may act',
  description:
    "Call this before the agent acts, and let the agent act only if `outcome` is `completed`. The center's policies determine whether the action is refused, sealed at once, or held until a person approves it. Send an `Idempotency-Key`: it becomes the `decisionId`, and repeating the request with the same key returns the decision's current state. `approval_required` means that a person has to approve the action first, on the page at `approvalUrl`. `refused` means that a person refused the action, the decision expired, or another decision replaced it. `pending` means that the decision couldn't be sealed yet, so the agent may not act; repeat the request with the same key. If a policy forbids the action, the response is 422 `POLICY_VIOLATION`; the refusal is sealed, and its ID is in `details.eventId`.",
  body: NewAgentDecision,
  replies: { 200: AgentDecision, 201: AgentDecision },
  errors: ['CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})
