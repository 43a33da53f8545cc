/** The console's inbox in one call, and figures on how people decide under each policy. */
import { Type } from 'typebox'
import { closed, DateTime, described, named, nullable, PageQuery } from './common.ts'
import { DecisionEventSummary } from './decision-events.ts'
import { ApprovingGuard, oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const consoleOperation = { surface: 'platform', tag: 'Console' } as const
export const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
export const adminOnly = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const

const Count = Type.Integer({ minimum: 0 })

const InboxItem = named(
  'InboxItem',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    decisionId: Type.String({ description: "The decision's own ID." }),
    type: DecisionEventSummary.properties.type,
    actor: DecisionEventSummary.properties.actor,
    action: named(
      'InboxAction',
      {
        type: Type.String({ description: 'The kind of action.' }),
        description: nullable(
          Type.String({
            description: "The requester's description, the first 500 characters. Null if nothing was sent.",
          }),
        ),
      },
      { description: 'The action, in short.' },
    ),
    headline: named(
      'InboxHeadline',
      {
        ko: Type.String({ description: 'The headline in Korean.' }),
        en: Type.String({ description: 'The headline in English.' }),
      },
      { description: "The headline, made from the action's type and values, never from its description." },
    ),
    tags: DecisionEventSummary.properties.tags,
    riskScore: nullable(
      Type.Number({ description: "The requester's estimate of the risk, from 0 to 1. Null if none was sent." }),
    ),
    since: described(DateTime, 'When the decision started waiting.'),
    expiresAt: nullable(described(DateTime, 'When the decision expires. Null if it never does.')),
    reasons: Type.Array(ApprovingGuard, { description: 'The guards that ask for an approval.' }),
    approvals: Type.Integer({ minimum: 0, description: 'How many approvals were given. One more is needed.' }),
    comments: described(Count, 'The number of comments.'),
    openedAt: nullable(
      Type.String({ ...DateTime, description: "When you first opened the decision. Null if you haven't." }),
    ),
    opened: Type.Boolean({ description: 'Whether you have opened the decision since its content last changed.' }),
    openedByOthers: Type.Integer({ minimum: 0, description: 'How many other members have opened the decision.' }),
  },
  { description: 'A decision that waits for an approval.' },
)

export const getInbox = operation({
  ...consoleOperation,
  id: 'console.listInbox',
  method: 'GET',
  path: '/console/inbox',
  access: staff,
  store: 'cell',
  envelope: 'page',
  summary: 'List the inbox',
  description:
    'Returns the decisions that wait for an approval, by risk or by expiry, with counts. A decision without a risk score comes first, because it exceeds every threshold of a policy.',
  query: Type.Object(
    {
      ...PageQuery.properties,
      sort: Type.Optional(
        oneOf('InboxOrder', ['risk', 'expiry'], 'The order: highest risk first, or next to expire first.', {
          default: 'risk',
        }),
      ),
    },
    closed,
  ),
  counts: named(
    'InboxCounts',
    {
      waiting: described(Count, 'All decisions that wait.'),
      expiringWithinHour: described(Count, 'Those that expire within an hour.'),
      unopened: Type.Integer({ minimum: 0, description: "Those that you haven't opened." }),
      withoutRisk: Type.Integer({ minimum: 0, description: 'Those without a risk score.' }),
    },
    { description: 'Figures about the whole inbox.' },
  ),
  replies: { 200: InboxItem },
})

const Seconds = nullable(Type.Number({ minimum: 0, description: 'The median in seconds. Null if there was no case.' }))

const PolicyOversight = named(
  'PolicyOversight',
  {
    policyId: Type.String({ description: 'The policy that the figures are about.' }),
    name: nullable(Type.String({ description: "The policy's name. Null for a deleted policy." })),
    decided: Type.Integer({ minimum: 0, description: 'How many decisions people approved or refused, or expired.' }),
    approved: described(Count, 'How many were approved.'),
    refused: Type.Integer({ minimum: 0, description: 'How many a person refused.' }),
    expired: Type.Integer({ minimum: 0, description: 'How many the service refused because nobody decided in time.' }),
    opened: Type.Integer({ minimum: 0, description: 'How many were decided by someone who had opened the decision.' }),
    medianSecondsToDecide: described(
      Seconds,
      'The median time from asking to deciding, in seconds. Null if there was no case.',
    ),
    medianSecondsOpen: Type.Unsafe<number | null>({
      ...Seconds,
      description:
        'The median time from opening to deciding, in seconds; a few seconds mean that nobody reads. Null if there was no case.',
    }),
  },
  { description: 'How people decide under one policy.' },
)

export const getOversight = operation({
  ...consoleOperation,
  id: 'console.getOversight',
  method: 'GET',
  path: '/console/oversight',
  access: adminOnly,
  store: 'cell',
  summary: 'Retrieve the oversight figures',
  description:
    'Returns how people decide under each policy: how many decisions they opened, how long they took, and how many were refused or expired. It covers the newest 5,000 sealed decisions of the last `days` that a policy applied to.',
  query: Type.Object(
    { days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'How many days to look back.' }) },
    closed,
  ),
  replies: {
    200: named(
      'Oversight',
      {
        since: described(DateTime, 'The start of the period that was counted.'),
        decisions: Type.Integer({ minimum: 0, description: 'How many decisions were read.' }),
        policies: Type.Array(PolicyOversight, { description: 'The figures for each policy.' }),
      },
      { description: 'How people decide under each policy.' },
    ),
  },
})
