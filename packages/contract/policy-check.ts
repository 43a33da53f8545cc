/** Asks what a center's policies would say about a decision. */
import { Type } from 'typebox'
import { NewAgentDecision } from './agents.ts'
import { ActorId, described, named, nullable } from './common.ts'
import { ApproverRole, ApprovingGuard, oneOf, RequiredIdentity } from './enums.ts'
import { operation } from './operation.ts'
import { PolicyApproval } from './policy-body.ts'

export const CheckOutcome = oneOf(
  'CheckOutcome',
  ['completed', 'approval_required', 'refused'],
  'The outcome that `POST /api/v1/agents/decide` would return. `refused` stands for its 422 `POLICY_VIOLATION` response.',
)

const CheckedPolicy = named(
  'CheckedPolicy',
  {
    id: Type.String({ description: "The policy's ID." }),
    version: Type.Integer({ description: 'The version in force.' }),
    digest: Type.String({ description: "The policy version's digest." }),
    name: Type.String({ description: "The policy's name." }),
    asks: Type.Array(ApprovingGuard, { description: "This policy's guards that require an approval." }),
    approval: nullable(
      described(PolicyApproval, "Who may approve under this policy. Null if the policy doesn't name approvers."),
    ),
  },
  { description: 'A policy that matches the decision, and what it requires.' },
)

const CheckedApproval = named(
  'CheckedApproval',
  {
    identity: RequiredIdentity,
    approvals: Type.Integer({ minimum: 1, maximum: 2, description: 'How many people must approve.' }),
    roles: nullable(
      Type.Array(ApproverRole, {
        description: 'The roles that all of these policies allow. Null if none of them names roles.',
      }),
    ),
    actorIds: Type.Array(ActorId, { description: 'The ACTIVE members who may approve, now or after an escalation.' }),
    expiresAfterSeconds: nullable(
      Type.Integer({
        description: 'How many seconds the decision could wait before it expires. Null if it would never expire.',
      }),
    ),
    usableForSeconds: Type.Integer({
      description: 'How many seconds after the approval the decision could be consumed.',
    }),
    problem: nullable(
      Type.String({ description: 'Why nobody can approve, or too few people can. Null if enough people can.' }),
    ),
  },
  { description: 'The approval that the policies would require.' },
)

export const checkPolicies = operation({
  id: 'policies.check',
  surface: 'platform',
  tag: 'Policies',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  method: 'POST',
  path: '/policies/check',
  store: 'none',
  summary: 'Check a decision against the policies',
  description:
    'Returns which policies match a decision and what they would require, without recording anything. The body is the same as for `POST /api/v1/agents/decide`. The response also tells you if nobody could approve the decision, for example because two policies name different people.',
  body: NewAgentDecision,
  replies: {
    200: named(
      'PolicyCheck',
      {
        outcome: CheckOutcome,
        refusal: nullable(
          named(
            'CheckedRefusal',
            {
              policyId: Type.String({ description: 'The policy that refuses the decision.' }),
              rule: Type.String({ description: 'The part of the policy that refuses the decision.' }),
              guard: Type.String({ description: 'The guard that refuses the decision.' }),
              message: Type.String({ description: 'The reason in a sentence.' }),
            },
            { description: "Why the decision would be refused. Null if it wouldn't be." },
          ),
        ),
        policies: Type.Array(CheckedPolicy, { description: 'The policies that match.' }),
        approval: nullable(described(CheckedApproval, 'The approval that would be required. Null if none would be.')),
      },
      { description: 'What the policies say about a decision.' },
    ),
  },
})
