/** What the inbox of the console shows in one call, and how people decide under each policy. */
import { Type } from 'typebox'
import { closed, DateTime, named, nullable, PageQuery } from './common.ts'
import { DecisionEventSummary } from './decision-events.ts'
import { ApprovingGuard, oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const consoleOperation = { surface: 'platform', tag: 'Console' } as const
export const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
export const adminOnly = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const

const Count = Type.Integer({ minimum: 0 })

const InboxItem = named('InboxItem', {
  eventId: TypedId('decisionEvent', 'Decision event id'),
  decisionId: Type.String(),
  type: DecisionEventSummary.properties.type,
  actor: DecisionEventSummary.properties.actor,
  action: named('InboxAction', {
    type: Type.String(),
    description: nullable(Type.String({ description: 'The first 500 characters' })),
  }),
  headline: named(
    'InboxHeadline',
    { ko: Type.String(), en: Type.String() },
    { description: 'Made of the type and the values of the action, never of its description' },
  ),
  tags: DecisionEventSummary.properties.tags,
  riskScore: nullable(Type.Number()),
  since: DateTime,
  expiresAt: nullable(DateTime),
  reasons: Type.Array(ApprovingGuard),
  approvals: Type.Integer({ minimum: 0, description: 'Approvals that were given; one more is owed' }),
  comments: Count,
  openedAt: nullable(Type.String({ ...DateTime, description: 'When you opened it for the first time' })),
  opened: Type.Boolean({ description: 'Whether you have opened it with its present content' }),
  openedByOthers: Type.Integer({ minimum: 0, description: 'Other members who have opened it' }),
})

export const getInbox = operation({
  ...consoleOperation,
  id: 'console.listInbox',
  method: 'GET',
  path: '/console/inbox',
  access: staff,
  store: 'cell',
  envelope: 'page',
  summary: 'List the decisions that wait for an approval, by risk or by expiry, with counts',
  description: 'A decision without a risk score comes first, as it exceeds every threshold of a policy.',
  query: Type.Object(
    {
      ...PageQuery.properties,
      sort: Type.Optional(
        oneOf('InboxOrder', ['risk', 'expiry'], 'The highest risk first, or the next to expire first', {
          default: 'risk',
        }),
      ),
    },
    closed,
  ),
  counts: named('InboxCounts', {
    waiting: Count,
    expiringWithinHour: Count,
    unopened: Type.Integer({ minimum: 0, description: 'Those that you have not opened' }),
    withoutRisk: Type.Integer({ minimum: 0, description: 'Those without a risk score' }),
  }),
  replies: { 200: InboxItem },
})

const Seconds = nullable(Type.Number({ minimum: 0, description: 'Median in seconds; null without a case' }))

const PolicyOversight = named('PolicyOversight', {
  policyId: Type.String(),
  name: nullable(Type.String({ description: 'Null for a policy that was withdrawn' })),
  decided: Type.Integer({ minimum: 0, description: 'Decisions that people approved or refused, or that expired' }),
  approved: Count,
  refused: Type.Integer({ minimum: 0, description: 'Refused by a person' }),
  expired: Type.Integer({ minimum: 0, description: 'Refused by the service because nobody decided in time' }),
  opened: Type.Integer({ minimum: 0, description: 'Decided by somebody who had opened the decision before' }),
  medianSecondsToDecide: Seconds,
  medianSecondsOpen: Type.Unsafe<number | null>({
    ...Seconds,
    description: 'Median time between opening and deciding; a few seconds mean that nobody reads',
  }),
})

export const getOversight = operation({
  ...consoleOperation,
  id: 'console.getOversight',
  method: 'GET',
  path: '/console/oversight',
  access: adminOnly,
  store: 'cell',
  summary: 'Get how people decide under each policy: opened, time to decide, refused, expired',
  description: 'Covers the newest 5,000 sealed decisions of the last `days` to which a policy applied.',
  query: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 90, default: 30 }) }, closed),
  replies: {
    200: named('Oversight', {
      since: DateTime,
      decisions: Type.Integer({ minimum: 0, description: 'Decisions that were read' }),
      policies: Type.Array(PolicyOversight),
    }),
  },
})
