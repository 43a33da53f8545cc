/** Approvals for other gateways: the webhook format of the Agent Governance Toolkit, answered with a proof. */
import { Type } from 'typebox'
import { key } from './access.ts'
import { DateTime, described, FreeObject, named, nullable } from './common.ts'
import { Name } from './decision-events.ts'
import { ProofDocument } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { approvalOutcomes } from './webhook-events.ts'

const Version = Type.Literal('1.0', { description: 'The version of the format.', examples: ['1.0'] })
const Digest = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'A digest: `sha256:` followed by 64 hex digits.',
  examples: ['sha256:e0aae12bd8b2f52a0a9a91e5b95a5f7b1f7e6d5d0e3bb2ad6ac2b6a0ff1a5cf1'],
})
const Short = Type.String({ minLength: 1, maxLength: 255 })
const RequestId = described(
  Short,
  "The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name.",
  'ar_6f1d2c3b4a5968778695a4b3c2d1e0f9',
)
const AgentId = described(
  Name,
  "The ID of the agent that wants to act. If your API key is bound to an actor, this must be that actor's ID.",
  'agent-7',
)
const SubjectId = nullable(described(Name, 'Whom the agent acts for; null if nobody is named.', 'customer-4412'))
const Operation = described(
  Name,
  "What the agent wants to do. It becomes the decision's action type, which policies match.",
  'tool.invoke',
)

const ActionBinding = named(
  'ActionBinding',
  {
    schema_version: Version,
    operation: Operation,
    agent_id: AgentId,
    subject_id: SubjectId,
    target: named(
      'ActionTarget',
      {
        tool_name: described(Name, "The tool's name.", 'payments.transfer'),
        tool_schema_version: described(Short, "The version of the tool's schema.", '2'),
        resource: nullable(described(Name, 'What the tool acts on; null if nothing is named.', 'account-a')),
      },
      { description: 'The tool that the gateway will call.' },
    ),
    parameters: described(FreeObject, 'The exact parameters of the call. Approvers see all of them.', {
      amount: 40_000,
    }),
  },
  { description: 'What the gateway will run, as `action_digest` covers it.' },
)

const NewApprovalRequest = named(
  'NewApprovalRequest',
  {
    schema_version: Version,
    type: Type.Literal('approval_request', { description: 'The kind of message.', examples: ['approval_request'] }),
    approval_request_id: RequestId,
    policy_decision_id: described(Short, "The ID of the gateway's own policy decision.", 'pd_0a1b2c3d'),
    action_digest: described(Digest, 'The SHA-256 of the canonical form (RFC 8785) of `binding`.'),
    input_digest: described(
      Digest,
      'The SHA-256 of the canonical form of all other members but `schema_version`, `type` and `binding`.',
      'sha256:1c2ad0b4d2d2ea0a0a1c0f5e8f1df4b57a4a54cf9a2d3ad3f1a3f0d6f0e1b2c3',
    ),
    agent_id: AgentId,
    subject_id: SubjectId,
    operation: Operation,
    target_resource: nullable(described(Name, 'What the action is about; null if nothing is named.', 'account-a')),
    policy_version: described(Short, "The version of the gateway's policy.", '2026.06.11'),
    approval_chain_id: described(Short, "The ID of the gateway's approval chain.", 'high-risk-tools'),
    approval_chain_version: described(Short, 'The version of that chain.', '3'),
    expires_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
      maxLength: 40,
      description: 'Until when the gateway accepts an answer. Afterwards, nobody can approve the request.',
      examples: ['2026-11-15T09:35:00.123456+00:00'],
    }),
    binding: ActionBinding,
  },
  {
    description: 'A request for approval, as `VersionedWebhookApproval` sends it, with the action as `binding`.',
    examples: [
      {
        schema_version: '1.0',
        type: 'approval_request',
        input_digest: 'sha256:903ad47415dd09377b773f5c039d689e3e4657756d25aec26f9674a726d3963f',
        approval_request_id: 'ar_e25f4cf38e9e4ba6abe36f9973e24faa',
        policy_decision_id: 'pd_0a1b2c3d',
        action_digest: 'sha256:32c9ea3d34ba8a38c22c402a7613a730e6d5024144b70064bdd657c29209e882',
        agent_id: 'agent-7',
        subject_id: null,
        operation: 'tool.invoke',
        target_resource: 'account-a',
        policy_version: '2026.06.11',
        approval_chain_id: 'high-risk-tools',
        approval_chain_version: '3',
        expires_at: '2026-11-18T21:02:54.927456+00:00',
        binding: {
          schema_version: '1.0',
          operation: 'tool.invoke',
          agent_id: 'agent-7',
          subject_id: null,
          target: {
            tool_name: 'payments.transfer',
            tool_schema_version: '2',
            resource: 'account-a',
          },
          parameters: {
            to: 'KR-110-220',
            amount: 40000,
          },
        },
      },
    ],
  },
)

const shared = {
  schema_version: Version,
  type: Type.Literal('approval_response', { description: 'The kind of message.' }),
  approval_request_id: RequestId,
  action_digest: described(Digest, 'The `action_digest` of the request.'),
  event_id: TypedId('decisionEvent', "The decision event's ID."),
}

const ApprovalVerdict = named(
  'ApprovalVerdict',
  {
    ...shared,
    status: Type.Unsafe<(typeof approvalOutcomes)[number]>({
      type: 'string',
      enum: [...approvalOutcomes],
      description:
        'How the request ended: `approved` or `refused` by a person or a policy, `expired`, or `withdrawn` or `replaced` by the requester.',
    }),
    approved: Type.Boolean({
      description: 'Whether the gateway may run the action, once. Never rely on it alone: verify `proof`.',
    }),
    approver: nullable(
      Type.String({ description: 'Who decided last, by their actor ID; null if the ID has been redacted.' }),
    ),
    reason: Type.String({ description: 'The reason that came with the decision; empty if none was given.' }),
    usable_until: nullable(described(DateTime, 'Until when the approval can be used. Null if it was not approved.')),
    proof: ProofDocument,
  },
  { description: 'The answer of a person, with a proof that anyone can verify offline.' },
)

const PendingApproval = named(
  'PendingApproval',
  {
    ...shared,
    status: Type.Literal('pending', { description: 'Nobody has decided yet.' }),
    approval_url: Type.String({ description: 'The page where a member can approve or refuse.' }),
  },
  { description: 'The request waits. It has no member `approved`, so that nobody takes it for an answer.' },
)

export const requestApproval = operation({
  id: 'agents.requestApproval',
  surface: 'proof',
  method: 'POST',
  path: '/v1/approval-requests',
  tag: 'Agents',
  access: key('proof:write', { or: 'decide', bound: true }),
  store: 'sequenced',
  // The ID of the request identifies the decision: a repeated request returns its current state.
  idempotency: false,
  envelope: 'bare',
  summary: 'Request an approval for another gateway',
  description:
    "For gateways that hold a tool call and leave the approval to this service. The request and the response have the format of `VersionedWebhookApproval` of the Agent Governance Toolkit; `binding` is added, because a person can't approve a digest. The response is 202 while nobody has decided; repeat the same request until it's 200, or repeat it when the webhook event `agent.approval.decided` arrives. An approval is consumed for you with the first 200 that says `approved: true`, in the name of `approval_request_id`; repeating the request returns the same answer until the approval ends. No answer, 202 and every error mean that the action isn't approved. If no policy of the center asks for an approval, the response is 409 with `details.reason` `noPolicy`, and nothing is recorded. Verify `proof` before you act.",
  body: NewApprovalRequest,
  replies: { 200: ApprovalVerdict, 202: PendingApproval },
  errors: ['CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})
