/** Decisions as people read, discuss and decide them, and one decision by its id. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { ActionTemplate } from './action-types.ts'
import { ActorId, closed, DateTime, named, nullable } from './common.ts'
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

/** What an approver has to know of a policy: the whole is for administrators. */
const WaitingRule = named('WaitingRule', {
  id: Type.String(),
  version: Type.Integer(),
  name: Type.String(),
  description: nullable(Type.String()),
  guards: Type.Array(ApprovingGuard, { description: 'The guards of this policy that ask' }),
  identity: RequiredIdentity,
  roles: nullable(Type.Array(ApproverRole, { description: 'Members with any of these roles may approve' })),
  expiresAfterSeconds: nullable(Type.Integer()),
  usableForSeconds: Type.Integer({ description: 'How long after the approval the decision can be consumed' }),
  pointers: Type.Array(Type.String(), {
    description: 'The values of the decision that the conditions of the policy read',
  }),
  conditions: Type.Array(PolicyCondition, { description: 'The conditions of the policy, for showing its limits' }),
  riskThreshold: nullable(Type.Number({ description: 'The guard of the policy on `riskScore`; null without one' })),
})

const Waiting = named(
  'DecisionWaiting',
  {
    since: DateTime,
    reasons: Type.Array(ApprovingGuard, { description: 'The guards that ask for an approval' }),
    policies: Type.Array(AppliedPolicy, { description: 'The policies that ask for it, as they were last judged' }),
    rules: Type.Array(WaitingRule, {
      description:
        'The same policies in short; one that has changed since is absent until the decision is judged again',
    }),
    expiresAt: nullable(
      Type.String({
        ...DateTime,
        description: 'From then on the decision counts as refused; null if it never expires',
      }),
    ),
    approvalUrl: Type.String({ description: 'A page for members who may approve; it contains no credential' }),
  },
  { description: 'What an open decision waits for; the seal judges anew, and it alone decides' },
)

const GivenApproval = named('GivenApproval', {
  approvalId: TypedId('approval', 'Approval id'),
  approver: Type.Partial(Approver, { ...closed, title: 'GivenApprover' }),
  result: ApprovalResult,
  reason: Type.Optional(Text),
  identity: named('ApprovalIdentity', {
    level: IdentityLevelSchema,
    by: Type.String({ description: 'API key or member that vouches for the approver; empty after it was redacted' }),
  }),
  channel: Type.Optional(ApprovalChannel),
  openedAt: Type.Optional(DateTime),
  decidedAt: Type.Optional(DateTime),
  onBehalfOf: Type.Optional(Type.String({ description: 'The member whose deputy approved' })),
  takenBackAt: Type.Optional(DateTime),
  void: Type.Optional(Type.String({ description: 'Why it did not count when the decision was sealed' })),
  onBehalfOfName: Type.Optional(Type.String({ description: 'Their name now, where members read it' })),
  createdAt: DateTime,
})

const Comment = named('DecisionComment', {
  id: TypedId('comment', 'Comment id'),
  author: named('CommentAuthor', { id: ActorId, name: Type.String() }),
  text: Type.String(),
  createdAt: DateTime,
})

const Decision = named('Decision', {
  ...DecisionEvent.properties,
  riskScore: nullable(Type.Number()),
  reason: nullable(Text),
  recordedBy: nullable(Type.String({ description: 'API key that recorded it' })),
  replaces: nullable(TypedId('decisionEvent', 'The decision that this one replaces')),
  waiting: nullable(Waiting),
  approvals: Type.Array(GivenApproval, { description: 'In the order in which they were given' }),
  prior: Type.String({ description: 'Digest of these approvals; your own approval names it' }),
  usableUntil: nullable(
    Type.String({
      ...DateTime,
      description: 'Sealed: the last time at which the decision can be consumed; null where no policy asked',
    }),
  ),
  comments: Type.Array(Comment, { description: 'Questions and answers, the oldest first' }),
  execution: Execution,
  recordedByName: nullable(
    Type.String({ description: 'The name of the API key that recorded it; null where a key reads' }),
  ),
  actionType: nullable(ActionTemplate),
})

/** Who decides: the staff of the entered center. */
const members = member('ADMIN', 'INSTRUCTOR')
export const decisionOperation = { surface: 'platform', tag: 'Decisions', access: members } as const
const shared = decisionOperation
export const EventParam = Type.Object({
  eventId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Decision event id, or any other id of the same record',
  }),
})

export const readDecision = definition({
  mounts: [
    { access: key('proof:read', { bound: true }) },
    {
      id: 'decisions.get',
      access: members,
      path: '/decisions/{eventId}',
      params: EventParam,
      tag: 'Decisions',
      summary: 'Get one decision with all that an approver has to know; reading it changes nothing',
    },
  ],
  id: 'decisionEvents.get',
  method: 'GET',
  path: '/decision-events/{id}',
  tag: 'Decision events',
  store: 'cell',
  summary: 'Get one decision: all that was sent, what it waits for, its approvals and its evidence',
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
      summary: 'Withdraw a decision that you asked for, while it waits for an approval',
    },
  ],
  id: 'decisionEvents.withdraw',
  method: 'POST',
  path: '/decision-events/{id}/withdraw',
  tag: 'Decision events',
  store: 'sequenced',
  summary: 'Withdraw a decision while it waits for an approval',
  description:
    'Allowed for the key that recorded the decision, for keys bound to its actor, and for its actor who is signed in. The decision is sealed as refused by the service itself, with the reason `withdrawn` and who withdrew it. Your own `reason` is sent with `agent.approval.decided`, and a member’s is kept as a comment; it is not sealed. A decision that does not wait, or no longer waits, gets 409.',
  params: RecordParam,
  body: named(
    'Withdrawal',
    { reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })) },
    { examples: [{ reason: 'The customer canceled the order.' }] },
  ),
  replies: {
    200: named('WithdrawnDecision', {
      eventId: TypedId('decisionEvent', 'Decision event id'),
      decisionId: Type.String(),
      withdrawnAt: DateTime,
      sealedHash: Type.String({ description: '`sha256:` and 64 hex digits' }),
    }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const openDecision = operation({
  ...shared,
  id: 'decisions.open',
  method: 'POST',
  path: '/decisions/{eventId}/opened',
  store: 'cell',
  summary: 'Note that you have opened a decision; your approval states the first time',
  description: 'Send the digest of the action that you were shown. An approval that a policy asks for needs it.',
  params: EventParam,
  body: named(
    'OpenedAction',
    { actionDigest: Type.Optional(Type.String({ maxLength: 80 })) },
    { examples: [{ actionDigest: 'sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945' }] },
  ),
  replies: {
    200: named('OpenedDecision', {
      eventId: TypedId('decisionEvent', 'Decision event id'),
      openedAt: Type.String({ ...DateTime, description: 'When you opened it for the first time' }),
    }),
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const commentDecision = operation({
  ...shared,
  id: 'decisions.comment',
  method: 'POST',
  path: '/decisions/{eventId}/comments',
  store: 'cell',
  summary: 'Ask or answer a question about a decision that waits; the webhook event is `agent.approval.commented`',
  description:
    'A decision that answers the question is recorded with `replaces` and the id of this one, which is then refused.',
  params: EventParam,
  body: named(
    'NewDecisionComment',
    { text: Type.String({ minLength: 1, maxLength: 10_000 }) },
    { examples: [{ text: 'Why 40 boxes, when 11 a week are used?' }] },
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
  summary: 'Name the member who may approve in your place during an absence',
  description:
    'The deputy is an ACTIVE ADMIN or INSTRUCTOR of this center. The seal names both of you, and both of you count as one of two approvers. A deputy cannot pass the right on. It lasts at most 90 days. To end it early, send it again with an earlier `until`.',
  body: named(
    'NewDeputy',
    { actorId: ActorId, from: DateTime, until: DateTime },
    {
      examples: [
        {
          actorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
          from: '2026-11-16T00:00:00.000Z',
          until: '2026-11-30T00:00:00.000Z',
        },
      ],
    },
  ),
  replies: { 200: named('Deputy', { actorId: ActorId, name: Type.String(), from: DateTime, until: DateTime }) },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
