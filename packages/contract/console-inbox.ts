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
        type: Type.String({ description: "The action's type." }),
        description: nullable(
          Type.String({
            description: "The first 500 characters of the requester's description. Null if none was sent.",
          }),
        ),
      },
      { description: 'A summary of the action.' },
    ),
    headline: named(
      'InboxHeadline',
      {
        ko: Type.String({ description: 'The headline in Korean.' }),
        en: Type.String({ description: 'The headline in English.' }),
      },
      { description: "The headline, built from the action's type and values, never from its description." },
    ),
    tags: DecisionEventSummary.properties.tags,
    riskScore: nullable(
      Type.Number({ description: "The requester's estimate of the risk, from 0 to 1. Null if none was sent." }),
    ),
    since: described(
      DateTime,
      'When the decision started waiting for approval. Once it is closed, when it was recorded.',
    ),
    expiresAt: nullable(
      described(DateTime, 'When the decision expires. Null if it never does, and once it is closed.'),
    ),
    reasons: Type.Array(ApprovingGuard, {
      description: 'The guards that require an approval. Empty once the decision is closed.',
    }),
    status: DecisionEventSummary.properties.status,
    approvals: Type.Integer({ minimum: 0, description: 'The number of approvals given so far.' }),
    comments: described(Count, 'The number of comments.'),
    openedAt: nullable(
      Type.String({ ...DateTime, description: "When you first opened the decision. Null if you haven't." }),
    ),
    opened: Type.Boolean({ description: 'Whether you have opened the decision since its content last changed.' }),
    openedByOthers: Type.Integer({
      minimum: 0,
      description: 'The number of other members who have opened the decision.',
    }),
  },
  { description: "A decision that's waiting for approval, or that was." },
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
    "Returns the decisions that are waiting for approval, sorted by risk or expiry, with counts. When sorted by risk, decisions without a risk score come first, because they count as exceeding every policy's threshold. With `view`, returns only those that concern you; the views and their counts cover the 1,000 newest waiting decisions and the 1,000 newest closed ones.",
  query: Type.Object(
    {
      ...PageQuery.properties,
      view: Type.Optional(
        oneOf(
          'InboxView',
          ['all', 'turn', 'soon', 'confirm', 'informed', 'asked'],
          'Which decisions: all that are waiting (`all`), those that are waiting for you now (`turn`), those that a later step will bring to you (`soon`), sealed ones whose emergency approval is waiting for you to confirm it (`confirm`), closed ones that a policy keeps you informed about (`informed`), and those that you or your API keys asked for, open or closed (`asked`). `confirm`, `informed` and `asked` are sorted newest first.',
          { default: 'all' },
        ),
      ),
      sort: Type.Optional(
        oneOf(
          'InboxOrder',
          ['risk', 'expiry'],
          'The sort order: highest risk first (`risk`), or earliest expiry first (`expiry`).',
          {
            default: 'risk',
          },
        ),
      ),
    },
    closed,
  ),
  counts: named(
    'InboxCounts',
    {
      waiting: described(Count, 'The number of decisions that are waiting for approval.'),
      expiringWithinHour: described(Count, 'The number of decisions that expire within an hour.'),
      unopened: Type.Integer({ minimum: 0, description: "The number of decisions that you haven't opened." }),
      withoutRisk: Type.Integer({ minimum: 0, description: 'The number of decisions without a risk score.' }),
      turn: described(Count, 'The number of decisions that are waiting for you now.'),
      soon: described(Count, 'The number of decisions that a later step will bring to you.'),
      confirm: described(Count, 'The number of emergency approvals that are waiting for you to confirm them.'),
      informed: described(Count, 'The number of closed decisions that a policy keeps you informed about.'),
      asked: described(Count, 'The number of decisions that you or your API keys asked for.'),
    },
    { description: 'Counts for the whole inbox.' },
  ),
  replies: { 200: InboxItem },
})
