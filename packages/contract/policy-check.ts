/** Asks what the policies of a center would say about a decision. */
import { Type } from 'typebox'
import { NewAgentDecision } from './agents.ts'
import { ActorId, named, nullable } from './common.ts'
import { ApproverRole, ApprovingGuard, oneOf, RequiredIdentity } from './enums.ts'
import { operation } from './operation.ts'
import { PolicyApproval } from './policy-body.ts'

export const CheckOutcome = oneOf(
  'CheckOutcome',
  ['completed', 'approval_required', 'refused'],
  'What `POST /api/v1/agents/decide` would answer; `refused` is its 422 `POLICY_VIOLATION`',
)

const CheckedPolicy = named('CheckedPolicy', {
  id: Type.String(),
  version: Type.Integer(),
  digest: Type.String(),
  name: Type.String(),
  asks: Type.Array(ApprovingGuard, { description: 'The guards of this policy that ask for an approval' }),
  approval: nullable(PolicyApproval),
})

const CheckedApproval = named('CheckedApproval', {
  identity: RequiredIdentity,
  approvals: Type.Integer({ minimum: 1, maximum: 2 }),
  roles: nullable(Type.Array(ApproverRole, { description: 'Roles that every policy which asks allows' })),
  actorIds: Type.Array(ActorId, { description: 'ACTIVE members who may approve now or after an escalation' }),
  expiresAfterSeconds: nullable(Type.Integer()),
  usableForSeconds: Type.Integer({ description: 'How long after the approval the decision can be consumed' }),
  problem: nullable(
    Type.String({ description: 'Why nobody, or fewer people than needed, can approve; null if enough can' }),
  ),
})

export const checkPolicies = operation({
  id: 'policies.check',
  surface: 'platform',
  tag: 'Policies',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  method: 'POST',
  path: '/policies/check',
  store: 'none',
  summary: 'Ask which policies match a decision and what they ask for; nothing is recorded',
  description:
    'The body is that of `POST /api/v1/agents/decide`. The reply also says when nobody can give the approval that the policies ask for, for example because two policies name different people.',
  body: NewAgentDecision,
  replies: {
    200: named('PolicyCheck', {
      outcome: CheckOutcome,
      refusal: nullable(
        named('CheckedRefusal', {
          policyId: Type.String(),
          rule: Type.String(),
          guard: Type.String(),
          message: Type.String(),
        }),
      ),
      policies: Type.Array(CheckedPolicy, { description: 'The policies that match' }),
      approval: nullable(CheckedApproval),
    }),
  },
})
