/** Decisions for the people who review, discuss and decide them. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { ActionTemplate } from './action-types.ts'
import { closed, DateTime, described, named, nullable } from './common.ts'
import { Comment } from './decision-comments.ts'
import { DecisionEvent, Text } from './decision-events.ts'
import { DecisionEmergency, DecisionLine, DecisionTurn, EmergencyRight } from './decision-lines.ts'
import {
  ApprovalChannel,
  ApprovalResult,
  ApproverRole,
  ApprovingGuard,
  IdentityLevelSchema,
  RequiredIdentity,
} from './enums.ts'
import { AppliedPolicy, Approver } from './evidence.ts'
import { Execution } from './executions.ts'
import { RecordParam, TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'
import { PolicyCondition } from './policy-body.ts'

/** What an approver needs to know about a policy; only administrators see all of it. */
const WaitingRule = named(
  'WaitingRule',
  {
    id: Type.String({ description: "The policy's ID." }),
    version: Type.Integer({ description: 'The version of the policy that applies.' }),
    name: Type.String({ description: "The policy's name." }),
    description: nullable(
      Type.String({
        description: "What the policy is for, in the administrator's words. Null if there is no description.",
      }),
    ),
    guards: Type.Array(ApprovingGuard, { description: 'The guards in this policy that require an approval.' }),
    identity: RequiredIdentity,
    roles: nullable(
      Type.Array(ApproverRole, {
        description: 'Members with any of these roles may approve. Null if the policy names no roles.',
      }),
    ),
    expiresAfterSeconds: nullable(
      Type.Integer({
        description: "The number of seconds that a decision can wait before it's refused. Null if it never expires.",
      }),
    ),
    usableForSeconds: Type.Integer({
      description: 'How many seconds after the approval the decision can be consumed.',
    }),
    pointers: Type.Array(Type.String(), {
      description: "JSON Pointers to the values that the policy's conditions read.",
    }),
    conditions: Type.Array(PolicyCondition, {
      description: "The policy's conditions, which you can use to show its limits.",
    }),
    riskThreshold: nullable(Type.Number({ description: "The policy's `riskThreshold`. Null if it has none." })),
  },
  { description: 'What an approver needs to know about a policy that requires an approval.' },
)

const Waiting = named(
  'DecisionWaiting',
  {
    since: described(DateTime, 'When the decision started waiting for approval.'),
    reasons: Type.Array(ApprovingGuard, { description: 'The guards that require an approval.' }),
    policies: Type.Array(AppliedPolicy, { description: 'The policies that require an approval, as last evaluated.' }),
    rules: Type.Array(WaitingRule, {
      description:
        'What an approver needs to know about the policies in `policies`. A policy that has changed since the last evaluation is missing until the decision is evaluated again.',
    }),
    expiresAt: nullable(
      Type.String({
        ...DateTime,
        description: 'When the decision expires. From then on, it counts as refused. Null if it never expires.',
      }),
    ),
    approvalUrl: Type.String({
      description: 'The URL of the page where a member can approve the decision. The URL contains no credential.',
    }),
    frozen: nullable(
      TypedId(
        'freeze',
        'The stop that covers the decision: it can be refused, but not approved until the stop is lifted. Null if there is none.',
      ),
    ),
    turn: Type.Optional(
      described(
        DecisionTurn,
        "Your turn in the approval lines. Absent when you retrieve the decision with an API key, and where this can't be said: no policy asks anymore, or you asked for a change of rules that you may have to approve yourself.",
      ),
    ),
    emergency: nullable(
      described(
        EmergencyRight,
        'Your right to approve in an emergency. Null if you have none, and when you retrieve the decision with an API key.',
      ),
    ),
  },
  {
    description:
      'What an open decision is waiting for. The policies are evaluated again when the decision is sealed, and only that result counts.',
  },
)

const GivenApproval = named(
  'GivenApproval',
  {
    approvalId: TypedId('approval', 'The ID of this approval or refusal.'),
    approver: Type.Partial(Approver, {
      ...closed,
      title: 'GivenApprover',
      description: 'Who approved or refused. Fields that have been redacted are missing.',
    }),
    result: ApprovalResult,
    reason: Type.Optional(described(Text, 'The comment that came with the approval.')),
    identity: named(
      'ApprovalIdentity',
      {
        level: IdentityLevelSchema,
        by: Type.String({
          description: 'The API key or member that vouches for the approver. Empty if it has been redacted.',
        }),
      },
      { description: "How the approver's identity was established." },
    ),
    channel: Type.Optional(ApprovalChannel),
    openedAt: Type.Optional(described(DateTime, 'When the approver first opened the decision.')),
    decidedAt: Type.Optional(described(DateTime, 'When the approver decided.')),
    onBehalfOf: Type.Optional(Type.String({ description: 'The member on whose behalf a deputy approved.' })),
    takenBackAt: Type.Optional(described(DateTime, "When the approver took the approval back. Absent if they didn't.")),
    void: Type.Optional(
      Type.String({ description: "Why the approval didn't count when the decision was sealed. Absent if it did." }),
    ),
    emergency: Type.Optional(
      Type.Literal(true, { description: 'Present if the approval was given in an emergency (후결).' }),
    ),
    onBehalfOfName: Type.Optional(
      Type.String({
        description: 'The current name of the member on whose behalf a deputy approved. Only members see this name.',
      }),
    ),
    createdAt: described(DateTime, 'When the server received the approval.'),
  },
  { description: 'An approval or refusal that was given for this decision.' },
)

const Decision = named(
  'Decision',
  {
    ...DecisionEvent.properties,
    riskScore: nullable(
      Type.Number({ description: "The requester's estimate of the risk, from 0 to 1. Null if none was sent." }),
    ),
    reason: nullable(described(Text, "Why the action is needed, in the requester's words. Null if nothing was sent.")),
    recordedBy: nullable(
      Type.String({ description: 'The API key that recorded the decision. Null if a member or the service did.' }),
    ),
    replaces: nullable(TypedId('decisionEvent', 'The decision that this one replaces. Null if it replaces none.')),
    waiting: nullable(described(Waiting, "What the decision is waiting for. Null if it isn't waiting.")),
    approvals: Type.Array(GivenApproval, {
      description: 'The approvals and refusals so far, in the order they were given.',
    }),
    lines: Type.Array(DecisionLine, {
      description:
        'The approval lines, one for each policy that requires an approval. Empty if none does, and for decisions that were sealed before lines were recorded.',
    }),
    emergency: nullable(
      described(
        DecisionEmergency,
        'How the emergency approval stands that sealed the decision. Null if there is none, and while the decision waits.',
      ),
    ),
    prior: Type.String({ description: 'The digest of the approvals so far. Send it with your own approval.' }),
    usableUntil: nullable(
      described(
        DateTime,
        "The last time at which the decision can be consumed. Null if it isn't approved, or if no policy required an approval.",
      ),
    ),
    comments: Type.Array(Comment, { description: 'Questions and answers, oldest first.' }),
    execution: Execution,
    recordedByName: nullable(
      Type.String({
        description:
          'The name of the API key that recorded the decision. Null if no API key recorded it, or if you retrieve it with an API key.',
      }),
    ),
    actionType: nullable(described(ActionTemplate, 'The template for this action type. Null if there is none.')),
  },
  { description: 'A decision with everything that is known about it.' },
)

/** The staff of the center that the caller has entered. */
const members = member('ADMIN', 'INSTRUCTOR')
export const decisionOperation = { surface: 'platform', tag: 'Decisions', access: members } as const
const shared = decisionOperation
export const EventParam = Type.Object(
  {
    eventId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The decision event's ID. You can use any of the decision's IDs.",
      examples: ['evt_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
  },
  { description: 'The decision in the path.' },
)

export const readDecision = definition({
  mounts: [
    { access: key('proof:read', { bound: true }) },
    {
      id: 'decisions.get',
      access: members,
      path: '/decisions/{eventId}',
      params: EventParam,
      tag: 'Decisions',
      summary: 'Retrieve a decision',
      description:
        "Returns everything an approver needs: the action, what the decision is waiting for, its approvals and its comments. Retrieving a decision doesn't mark it as opened. Before you approve it, call `POST /api/decisions/{eventId}/opened`.",
    },
  ],
  id: 'decisionEvents.get',
  method: 'GET',
  path: '/decision-events/{id}',
  tag: 'Decision events',
  store: 'cell',
  summary: 'Retrieve a decision event',
  description:
    'Returns everything that was sent, what the decision is waiting for, its approvals and its evidence. To follow a held decision, poll this operation or subscribe to the `agent.decision.completed` webhook event.',
  params: RecordParam,
  replies: { 200: Decision },
  errors: ['NOT_FOUND'],
})

export const withdrawDecision = definition({
  mounts: [
    { access: key('proof:write', { or: 'decide', bound: true }) },
    {
      id: 'decisions.withdraw',
      access: members,
      path: '/decisions/{eventId}/withdraw',
      params: EventParam,
      tag: 'Decisions',
      summary: 'Withdraw your decision',
    },
  ],
  id: 'decisionEvents.withdraw',
  method: 'POST',
  path: '/decision-events/{id}/withdraw',
  tag: 'Decision events',
  store: 'sequenced',
  summary: 'Withdraw a decision',
  description:
    "Withdraws a decision while it waits for an approval. The key that recorded the decision, keys for its actor, and its actor as a signed-in member can withdraw it. The decision is sealed as refused by the service itself; the seal states the reason `withdrawn` and who withdrew the decision. Your own `reason` isn't sealed: it's sent with `agent.approval.decided`, and a member's is kept as a comment. If the decision isn't waiting, the response is 409.",
  params: RecordParam,
  body: named(
    'Withdrawal',
    {
      reason: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: "Why you're withdrawing the decision.",
          examples: ['The customer canceled the order.'],
        }),
      ),
    },
    { description: 'The withdrawal.', examples: [{ reason: 'The customer canceled the order.' }] },
  ),
  replies: {
    200: named(
      'WithdrawnDecision',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        decisionId: Type.String({ description: "The decision's own ID, as returned when it was recorded." }),
        withdrawnAt: described(DateTime, 'When the decision was withdrawn.'),
        sealedHash: Type.String({
          description: "The hash of the refusal's chain entry: `sha256:` followed by 64 hex digits.",
        }),
      },
      { description: 'The decision that was withdrawn.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const openDecision = operation({
  ...shared,
  id: 'decisions.open',
  method: 'POST',
  path: '/decisions/{eventId}/opened',
  store: 'cell',
  summary: 'Mark a decision as opened',
  description:
    'Records when you first opened the decision; your approval states that time. Send the digest of the action you were shown. If a policy requires the approval, make this call before you approve.',
  params: EventParam,
  body: named(
    'OpenedAction',
    {
      actionDigest: Type.Optional(
        Type.String({
          maxLength: 80,
          description: 'The `actionDigest` of the decision you were shown.',
          examples: ['sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
        }),
      ),
    },
    {
      description: 'What you were shown.',
      examples: [{ actionDigest: 'sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945' }],
    },
  ),
  replies: {
    200: named(
      'OpenedDecision',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        openedAt: Type.String({ ...DateTime, description: 'When you first opened the decision.' }),
      },
      { description: 'When you first opened the decision.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const commentDecision = operation({
  ...shared,
  id: 'decisions.comment',
  method: 'POST',
  path: '/decisions/{eventId}/comments',
  store: 'cell',
  summary: 'Comment on a decision',
  description:
    "Adds a question or an answer to a decision that is still waiting, and sends the `agent.approval.commented` webhook event. To respond with a changed action, the requester records a new decision with `replaces` set to this decision's ID; this decision is then refused.",
  params: EventParam,
  body: named(
    'NewDecisionComment',
    {
      text: Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'Your question or answer.',
        examples: ['Why 40 boxes when we use 11 a week?'],
      }),
    },
    { description: 'The comment to add.', examples: [{ text: 'Why 40 boxes when we use 11 a week?' }] },
  ),
  replies: { 201: Comment },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
