/** Decisions for the people who review, discuss and decide them. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { ActionTemplate } from './action-types.ts'
import { ActorId, closed, DateTime, described, named, nullable } from './common.ts'
import { DecisionEvent, Text } from './decision-events.ts'
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
        description: "What the policy is for, in the administrator's words. Null if nothing was written.",
      }),
    ),
    guards: Type.Array(ApprovingGuard, { description: 'The guards of this policy that ask for an approval.' }),
    identity: RequiredIdentity,
    roles: nullable(
      Type.Array(ApproverRole, {
        description: 'Members with any of these roles may approve. Null if the policy names no roles.',
      }),
    ),
    expiresAfterSeconds: nullable(
      Type.Integer({
        description: 'How many seconds a decision may wait before it is refused. Null if it never expires.',
      }),
    ),
    pointers: Type.Array(Type.String(), {
      description: "JSON Pointers to the values that the policy's conditions read.",
    }),
    conditions: Type.Array(PolicyCondition, {
      description: "The policy's conditions, so that you can show its limits.",
    }),
    riskThreshold: nullable(Type.Number({ description: 'The `riskThreshold` of the policy. Null if it has none.' })),
  },
  { description: 'A policy that asks for an approval, in the words an approver needs.' },
)

const Waiting = named(
  'DecisionWaiting',
  {
    since: described(DateTime, 'When the decision started waiting.'),
    reasons: Type.Array(ApprovingGuard, { description: 'The guards that ask for an approval.' }),
    policies: Type.Array(AppliedPolicy, { description: 'The policies that ask for it, as last evaluated.' }),
    rules: Type.Array(WaitingRule, {
      description:
        'The same policies in short. A policy that has changed since then is missing until the decision is evaluated again.',
    }),
    expiresAt: nullable(
      Type.String({
        ...DateTime,
        description: 'When the decision expires. From then on it counts as refused. Null if it never expires.',
      }),
    ),
    approvalUrl: Type.String({ description: 'The page where a member can approve. The link contains no credential.' }),
  },
  {
    description:
      'What an open decision is waiting for. The policies are evaluated again when it is sealed, and only that result counts.',
  },
)

const GivenApproval = named(
  'GivenApproval',
  {
    approvalId: TypedId('approval', 'The ID of this approval or refusal.'),
    approver: Type.Partial(Approver, {
      ...closed,
      title: 'GivenApprover',
      description: 'Who approved or refused. Members are missing if they were redacted.',
    }),
    result: ApprovalResult,
    reason: Type.Optional(described(Text, 'The comment that came with the approval.')),
    identity: named(
      'ApprovalIdentity',
      {
        level: IdentityLevelSchema,
        by: Type.String({
          description: 'The API key or member that vouches for the approver. Empty after it was redacted.',
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
    onBehalfOfName: Type.Optional(
      Type.String({
        description: 'The current name of the member on whose behalf a deputy approved. Only members see it.',
      }),
    ),
    createdAt: described(DateTime, 'When the server received the approval.'),
  },
  { description: 'An approval or refusal that was given for this decision.' },
)

const Comment = named(
  'DecisionComment',
  {
    id: TypedId('comment', "The comment's ID."),
    author: named(
      'CommentAuthor',
      {
        id: described(ActorId, "The author's actor ID."),
        name: Type.String({ description: "The author's current name." }),
      },
      { description: 'The member who wrote the comment.' },
    ),
    text: Type.String({ description: 'What the author wrote.' }),
    createdAt: described(DateTime, 'When the comment was written.'),
  },
  { description: 'A question or an answer about a decision.' },
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
    waiting: nullable(described(Waiting, 'What the decision is waiting for. Null once it is decided.')),
    approvals: Type.Array(GivenApproval, {
      description: 'The approvals and refusals so far, in the order they were given.',
    }),
    prior: Type.String({ description: 'The digest of the approvals so far. Send it back with your own approval.' }),
    comments: Type.Array(Comment, { description: 'Questions and answers, oldest first.' }),
    execution: Execution,
    recordedByName: nullable(
      Type.String({ description: 'The name of the API key that recorded the decision. Null if an API key reads it.' }),
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
      description: "The decision event's ID. Any ID of the same record works.",
      examples: ['evt_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
  },
  { description: 'The decision whose path this is.' },
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
        'Returns everything an approver needs: the action, what the decision waits for, its approvals and its comments. Reading it changes nothing. Before you approve, call `POST /api/decisions/{eventId}/opened`.',
    },
  ],
  id: 'decisionEvents.get',
  method: 'GET',
  path: '/decision-events/{id}',
  tag: 'Decision events',
  store: 'cell',
  summary: 'Retrieve a decision event',
  description:
    'Returns everything that was sent, what the decision waits for, its approvals and its evidence. Poll it to follow a held decision, or subscribe to the webhook event `agent.decision.completed`.',
  params: RecordParam,
  replies: { 200: Decision },
  errors: ['NOT_FOUND'],
})

export const openDecision = operation({
  ...shared,
  id: 'decisions.open',
  method: 'POST',
  path: '/decisions/{eventId}/opened',
  store: 'cell',
  summary: 'Mark a decision as opened',
  description:
    'Notes when you first opened the decision; your approval states that time. Send the digest of the action you were shown. A policy that asks for an approval requires this call first.',
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
    'Adds a question or an answer to a decision that is still waiting, and sends the webhook event `agent.approval.commented`. To answer with a changed action, the requester records a new decision with `replaces` set to this one, which is then refused.',
  params: EventParam,
  body: named(
    'NewDecisionComment',
    {
      text: Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'What you want to ask or answer.',
        examples: ['Why 40 boxes, when we use 11 a week?'],
      }),
    },
    { description: 'The comment to add.', examples: [{ text: 'Why 40 boxes, when 11 a week are used?' }] },
  ),
  replies: { 201: Comment },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const setDeputy = operation({
  ...shared,
  id: 'decisions.setDeputy',
  stepUp: { within: 'rules' },
  method: 'PUT',
  path: '/decisions/deputy',
  store: 'cell',
  summary: 'Name a deputy',
  description:
    "Lets another member approve on your behalf while you're away. The deputy must be an ACTIVE ADMIN or INSTRUCTOR of this center and can't pass the right on. The seal names both of you, and the two of you count as one of two approvers. It lasts at most 90 days; to end it early, send it again with an earlier `until`.",
  body: named(
    'NewDeputy',
    {
      actorId: described(ActorId, 'The member who approves on your behalf.'),
      from: described(DateTime, 'When the deputy may start to approve.'),
      until: described(DateTime, "When the deputy's right ends, at most 90 days later.", '2026-11-30T00:00:00.000Z'),
    },
    {
      description: 'Who approves on your behalf, and for how long.',
      examples: [
        {
          actorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
          from: '2026-11-16T00:00:00.000Z',
          until: '2026-11-30T00:00:00.000Z',
        },
      ],
    },
  ),
  replies: {
    200: named(
      'Deputy',
      {
        actorId: described(ActorId, "The deputy's actor ID."),
        name: Type.String({ description: "The deputy's name." }),
        from: described(DateTime, 'When the deputy may start to approve.'),
        until: described(DateTime, "When the deputy's right ends."),
      },
      { description: 'The member who approves on your behalf, and for how long.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
