/** A member's approval or refusal of a decision: signed in, or also signed with a passkey. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named, nullable } from './common.ts'
import { Text } from './decision-events.ts'
import { decisionOperation, EventParam } from './decisions.ts'
import { ApprovalResult } from './enums.ts'
import { AppliedPolicy, Approval } from './evidence.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion, RequestOptions } from './passkeys.ts'

const Digest = (description: string) =>
  Type.String({
    maxLength: 80,
    description,
    examples: ['sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
  })

const Shown = named(
  'ShownDecision',
  {
    view: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The version of the page layout that showed the decision.',
      examples: ['card-1'],
    }),
    language: Type.String({ minLength: 2, maxLength: 10, description: "The page's language.", examples: ['en'] }),
    template: nullable(
      named(
        'ShownTemplate',
        {
          version: Type.Integer({
            minimum: 0,
            maximum: 2_147_483_647,
            description: "The template's version.",
            examples: [2],
          }),
          digest: Digest("The template's digest."),
        },
        { description: "The action type's template that produced the headline. Null if there was none." },
      ),
    ),
  },
  {
    description: "What your page says it showed. The statement is sealed, but it doesn't prove what was on the screen.",
  },
)

/** What the approver was shown. If a policy asks for the approval, the first three are required. */
const seen = {
  actionDigest: Type.Optional(Digest('The `actionDigest` of the decision you were shown.')),
  policies: Type.Optional(
    Type.Array(
      named(
        'ShownPolicy',
        {
          id: Type.String({
            maxLength: 64,
            description: "The policy's ID.",
            examples: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'],
          }),
          version: Type.Integer({
            minimum: 1,
            maximum: 2_147_483_647,
            description: 'The version you were shown.',
            examples: [3],
          }),
        },
        { description: 'A policy that you were shown.' },
      ),
      {
        maxItems: 200,
        description: 'The policies you were shown, from `waiting.policies`. Empty if there were none.',
      },
    ),
  ),
  prior: Type.Optional(Digest('The `prior` value of the decision you were shown.')),
  shown: Type.Optional(Shown),
}

const Statement = named(
  'ApprovalStatement',
  {
    type: Type.Literal('countersign-approval-v2', { description: "The statement's format." }),
    log: Type.String({ description: 'The name of the log that the decision will be sealed into.' }),
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    decisionId: Type.String({ description: "The decision's own ID, as returned when it was recorded." }),
    actionDigest: Type.String({ description: 'The digest of the action being approved or refused.' }),
    result: ApprovalResult,
    reasonDigest: nullable(
      Type.String({ description: 'The digest of the comment and its salt. Null if there is no comment.' }),
    ),
    approverId: described(ActorId, 'The member who approves or refuses the decision.'),
    policies: Type.Array(AppliedPolicy, { description: 'The policies that require the approval.' }),
    onBehalfOf: nullable(
      described(ActorId, "The member on whose behalf a deputy approves. Null if the approver isn't a deputy."),
    ),
    approvedActionDigest: Type.Null({ description: 'Reserved; always null.' }),
    emergency: nullable(
      Type.Boolean({ description: 'True for an emergency approval. Null for any other approval or refusal.' }),
    ),
    shown: nullable(Shown),
    prior: Type.String({ description: "The digest of the earlier approvals, as in the decision's `prior`." }),
    rpId: Type.String({ description: 'The host that the passkey belongs to.' }),
    nonce: Type.String({ description: 'A random value that makes the statement unique.' }),
    issuedAt: described(DateTime, 'When the server issued the statement.'),
  },
  { description: "The statement that the passkey signs. The decision's export contains it." },
)

const reason = Type.Optional(
  described(
    Text,
    'Your comment on the decision. The comment is sealed with the decision.',
    'Agrees with my own assessment.',
  ),
)

const emergency = Type.Optional(
  Type.Literal(true, {
    description:
      'Gives an emergency approval (후결), with a `reason`. It fills all open places in the lines of those policies whose `approval.emergency` admits you, and none in any other line. Each line it fills confirms it later, until `confirmBy`.',
    examples: [true],
  }),
)

export const challengeApproval = operation({
  ...decisionOperation,
  id: 'decisions.challengeApproval',
  method: 'POST',
  path: '/decisions/{eventId}/approvals/challenge',
  store: 'sequenced',
  summary: 'Create an approval challenge',
  description:
    'Returns the statement that your passkey signs to approve or refuse a decision. The challenge is valid for five minutes, for one approval or refusal with the same `result` and `reason`. Show the action whose digest you computed, and compute the challenge from the statement yourself. `publicKey` lists your passkeys that are confirmed in this center; if you have none, the response is 409. Send the assertion to `POST /api/decisions/{eventId}/approvals`.',
  params: EventParam,
  body: named(
    'NewApprovalChallenge',
    { result: ApprovalResult, reason, emergency, ...seen },
    { description: 'The approval or refusal that your passkey will sign.', examples: [{ result: 'approved' }] },
  ),
  replies: {
    200: named(
      'ApprovalChallenge',
      {
        statement: Statement,
        reasonSalt: nullable(
          Type.String({
            description: 'The salt that goes into `reasonDigest` with the comment. Null if there is no comment.',
          }),
        ),
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'What your passkey signs to approve or refuse the decision.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION'],
})

export const approveDecision = operation({
  ...decisionOperation,
  id: 'decisions.approve',
  method: 'POST',
  path: '/decisions/{eventId}/approvals',
  store: 'sequenced',
  summary: 'Approve or refuse a decision',
  description:
    "Approves or refuses a decision as the signed-in member. Either way, the decision is sealed once no policy requires another approval. The seal states that a signed-in member decided (`session`) or, with `assertion`, that a passkey bound to this member signed exactly this approval (`passkey`). If a policy requires the approval, first call `POST /api/decisions/{eventId}/opened`, then send the `actionDigest`, `policies` and `prior` that you were shown. If any of them is missing, or if the decision or a policy has changed, the response is 409 and nothing is sealed. To refuse a decision, you don't have to send them.",
  params: EventParam,
  body: named(
    'MemberApproval',
    {
      result: ApprovalResult,
      reason,
      emergency,
      ...seen,
      channel: Type.Optional(
        Type.Union([Type.Literal('page'), Type.Literal('console')], {
          default: 'console',
          description:
            'Where you approved or refused the decision, as stated by your program. This value is sealed too.',
          examples: ['console'],
        }),
      ),
      assertion: Type.Optional(Assertion),
    },
    {
      description: 'Your approval or refusal, and what you were shown.',
      examples: [{ result: 'approved', reason: 'Agrees with my own assessment.' }],
    },
  ),
  replies: {
    200: named('GivenMemberApproval', Approval.properties, {
      description: 'Your approval or refusal, with the seal if it completed the decision.',
    }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const takeBackApproval = operation({
  ...decisionOperation,
  id: 'decisions.takeBackApproval',
  method: 'POST',
  path: '/decisions/{eventId}/approvals/take-back',
  store: 'sequenced',
  summary: 'Take back your approval',
  description:
    "Takes back your own approval while the decision is still waiting. The record keeps the approval and shows that it was taken back; you can approve again. If the decision is already sealed, it can't be changed, and the response is 409.",
  params: EventParam,
  replies: {
    200: named(
      'TakenBackApproval',
      {
        approvalId: TypedId('approval', 'The approval that you took back.'),
        takenBackAt: described(DateTime, 'When you took the approval back.'),
      },
      { description: 'The approval that you took back.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
