/** A member's approval or refusal of a decision: signed in, or signed in and signed by a passkey. */
import { Type } from 'typebox'
import { ActorId, DateTime, named, nullable } from './common.ts'
import { Text } from './decision-events.ts'
import { decisionOperation, EventParam } from './decisions.ts'
import { ApprovalResult } from './enums.ts'
import { AppliedPolicy, Approval } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion, RequestOptions } from './passkeys.ts'

const Digest = (description: string) => Type.String({ maxLength: 80, description })

const Shown = named(
  'ShownDecision',
  {
    view: Type.String({ minLength: 1, maxLength: 40, description: 'The form of the page that showed the decision' }),
    language: Type.String({ minLength: 2, maxLength: 10 }),
    template: nullable(
      named('ShownTemplate', {
        version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
        digest: Digest('Digest of the template that made the headline'),
      }),
    ),
  },
  { description: 'What your page states to have shown. It is sealed; that a screen showed it is not proved' },
)

/** What the approver was shown. Where a policy asks, an approval needs all three. */
const seen = {
  actionDigest: Type.Optional(Digest('The digest that you were shown')),
  policies: Type.Optional(
    Type.Array(
      named('ShownPolicy', {
        id: Type.String({ maxLength: 64 }),
        version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
      }),
      {
        maxItems: 200,
        description: 'The policies that you were shown, from `waiting.policies`; empty if there were none',
      },
    ),
  ),
  prior: Type.Optional(Digest('`prior` of the decision that you were shown')),
  shown: Type.Optional(Shown),
}

const Statement = named(
  'ApprovalStatement',
  {
    type: Type.Literal('countersign-approval-v2'),
    log: Type.String(),
    eventId: TypedId('decisionEvent', 'Decision event id'),
    decisionId: Type.String(),
    actionDigest: Type.String(),
    result: ApprovalResult,
    reasonDigest: nullable(Type.String({ description: 'Covers the reason and a salt; null without a reason' })),
    approverId: ActorId,
    policies: Type.Array(AppliedPolicy),
    onBehalfOf: nullable(ActorId),
    approvedActionDigest: Type.Null({ description: 'Reserved' }),
    emergency: Type.Null({ description: 'Reserved' }),
    shown: nullable(Shown),
    prior: Type.String({ description: 'Digest of the approvals before, as `prior` of the decision' }),
    rpId: Type.String(),
    nonce: Type.String(),
    issuedAt: DateTime,
  },
  { description: 'What the passkey signs. The export of the decision contains it' },
)

const reason = Type.Optional(Text)

export const challengeApproval = operation({
  ...decisionOperation,
  id: 'decisions.challengeApproval',
  method: 'POST',
  path: '/decisions/{eventId}/approvals/challenge',
  store: 'sequenced',
  summary: 'Get the statement that your passkey signs to approve or reject a decision',
  description:
    'The challenge is good for five minutes, for one approval, with the same `result` and `reason`. Show the action whose digest you have computed, and compute the challenge from the statement yourself. `publicKey` names your passkeys that are confirmed in this center; without one the answer is 409.',
  params: EventParam,
  body: named(
    'NewApprovalChallenge',
    { result: ApprovalResult, reason, ...seen },
    { examples: [{ result: 'approved' }] },
  ),
  replies: {
    200: named('ApprovalChallenge', {
      statement: Statement,
      reasonSalt: nullable(Type.String({ description: 'What `reasonDigest` covers beside the reason' })),
      publicKey: RequestOptions,
      expiresAt: DateTime,
    }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION'],
})

export const approveDecision = operation({
  ...decisionOperation,
  id: 'decisions.approve',
  method: 'POST',
  path: '/decisions/{eventId}/approvals',
  store: 'sequenced',
  summary: 'Approve or reject a decision as the member who is signed in',
  description:
    'The seal states that a signed-in member approved (`session`), or, with `assertion`, that a passkey bound to this member signed exactly this approval (`passkey`). Where a policy asks for the approval, send the `actionDigest`, the `policies` and the `prior` that you were shown, after you have noted with `opened` that you opened the decision: without them, and if the decision or a policy has changed since, the approval is refused with 409, and nothing is sealed. Refusing needs none of them.',
  params: EventParam,
  body: named(
    'MemberApproval',
    {
      result: ApprovalResult,
      reason,
      ...seen,
      channel: Type.Optional(
        Type.Union([Type.Literal('page'), Type.Literal('console')], {
          default: 'console',
          description: 'Where you decided, as your program states it; sealed',
        }),
      ),
      assertion: Type.Optional(Assertion),
    },
    { examples: [{ result: 'approved', reason: 'Agrees with my own assessment.' }] },
  ),
  replies: { 200: named('GivenMemberApproval', Approval.properties) },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const takeBackApproval = operation({
  ...decisionOperation,
  id: 'decisions.takeBackApproval',
  method: 'POST',
  path: '/decisions/{eventId}/approvals/take-back',
  store: 'sequenced',
  summary: 'Take your own approval back while the decision waits',
  description:
    'The record keeps the approval and says that it was taken back. You may approve again. A decision that is sealed cannot change: 409.',
  params: EventParam,
  replies: {
    200: named('TakenBackApproval', { approvalId: TypedId('approval', 'Approval id'), takenBackAt: DateTime }),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
