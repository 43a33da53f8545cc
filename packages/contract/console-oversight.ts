/** How people decide, over time: of a center, or of one policy, person or agent. */
import { Type } from 'typebox'
import { ActorId, closed, described, named, nullable } from './common.ts'
import { adminOnly, consoleOperation, staff } from './console-inbox.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const oversightPeriods = ['month', 'quarter', 'year'] as const
export type OversightPeriod = (typeof oversightPeriods)[number]

const Period = oneOf(
  'OversightPeriod',
  oversightPeriods,
  'How far back: 4 weeks (`month`), 13 weeks (`quarter`) or 52 weeks (`year`), each from a Monday to today.',
  { default: 'quarter' },
)

const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Number({ minimum: 0 })
const secondsOf = (text: string) =>
  nullable(described(Seconds, `${text}, in seconds, to within a tenth. Null if there are none.`))

const times = {
  medianSecondsToDecide: secondsOf('The median time from the request to the approval or refusal'),
  p90SecondsToDecide: secondsOf(
    'The time from the request to the decision that nine in ten approvals and refusals stay within',
  ),
  medianSecondsOpen: secondsOf('The median time from opening a request to approving or refusing it'),
  p90SecondsOpen: secondsOf(
    'The time from opening a request to the decision that nine in ten approvals and refusals stay within',
  ),
}

const outcomes = {
  approved: described(Count, 'The number of requests that were approved.'),
  refused: described(Count, 'The number of requests that a person refused.'),
  expired: described(Count, 'The number of requests that nobody decided in time.'),
  withdrawn: described(Count, 'The number of requests that were withdrawn or replaced before anyone decided.'),
  void: described(
    Count,
    'The number of approvals that no longer counted when the decision was sealed, by when they were given: taken back, for example, or by someone whose role has changed since.',
  ),
  opened: described(Count, 'The number of approvals and refusals by someone who had opened the request.'),
}

const Point = named(
  'OversightPoint',
  {
    from: Type.String({
      format: 'date',
      description: "The day, or the Monday of the week, in the center's time zone.",
    }),
    waiting: nullable(
      described(
        Count,
        'The number of requests waiting at the end of the day or week, or now for the current one. Null if the figures are about one policy, person or agent.',
      ),
    ),
    asked: described(
      Count,
      'The number of requests sent in that time that have been decided or closed since. For a person, those that they decided.',
    ),
    ...outcomes,
    ...times,
    seals: nullable(
      described(
        Count,
        'The number of decisions sealed, including those that needed no person. Null if the figures are about one policy, person or agent.',
      ),
    ),
    deliveries: nullable(
      named(
        'OversightDeliveries',
        {
          succeeded: described(Count, 'The number of attempts that succeeded.'),
          failed: described(Count, 'The number of attempts that failed.'),
        },
        {
          description: 'Attempts to deliver to webhooks. Null if the figures are about one policy, person or agent.',
        },
      ),
    ),
    appointments: nullable(
      named(
        'OversightAppointments',
        {
          attended: described(Count, 'The number of appointments that took place.'),
          missed: described(Count, 'The number of appointments to which nobody came.'),
        },
        {
          description: 'The attendance of that time. Null if an ADMIN asks about one policy, person or agent.',
        },
      ),
    ),
  },
  { description: 'The figures of a day or a week.' },
)

export const getOversight = operation({
  ...consoleOperation,
  id: 'console.getOversight',
  method: 'GET',
  path: '/console/oversight',
  access: staff,
  store: 'cell',
  summary: 'Retrieve the oversight figures over time',
  description:
    "Returns, for each day or week, how people decide on requests that need approval under a policy, and what the center sealed, delivered and attended. Days are those of the center's time zone. Decisions are counted a few seconds after they are sealed, deliveries a few minutes after each attempt. An ADMIN sees the whole center, or one policy, person or agent of it; an INSTRUCTOR sees only their own approvals, refusals and appointments.",
  query: Type.Object(
    {
      period: Period,
      step: oneOf('OversightStep', ['day', 'week'], 'Whether there is a point for each day or for each week.', {
        default: 'week',
      }),
      policyId: Type.Optional(TypedId('policy', 'Only requests that this policy applied to.')),
      actorId: Type.Optional(described(ActorId, 'Only approvals and refusals by this member.')),
      agentId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Only requests by the actor with this ID.',
          examples: ['agent-7'],
        }),
      ),
    },
    closed,
  ),
  replies: {
    200: named(
      'Oversight',
      {
        timezone: Type.String({
          description:
            "The time zone of the days. After a center's time zone changes, the former one until everything is counted again.",
        }),
        behind: described(Count, 'The number of sealed decisions that are not counted yet.'),
        scope: oneOf(
          'OversightScope',
          ['center', 'own'],
          "Whether you see the center's figures (`center`) or only your own (`own`).",
        ),
        points: Type.Array(Point, { description: 'The days or weeks, oldest first. The last one is not over yet.' }),
      },
      { description: 'How people decide, over time.' },
    ),
  },
})

const Group = named(
  'OversightGroup',
  {
    id: Type.String({ description: "The policy's ID, the person's actor ID, or the agent's ID." }),
    name: nullable(Type.String({ description: 'The current name. Null if it has been deleted, erased or redacted.' })),
    ...outcomes,
    ...times,
    weeks: Type.Array(Count, { description: 'The number of decided and closed requests in each week, oldest first.' }),
  },
  { description: 'The figures of one policy, person or agent.' },
)

export const listOversightGroups = operation({
  ...consoleOperation,
  id: 'console.listOversightGroups',
  method: 'GET',
  path: '/console/oversight/groups',
  access: adminOnly,
  store: 'cell',
  summary: 'List the oversight figures by policy, person or agent',
  description:
    'Returns the figures of the whole period for each policy, each person who approves, or each agent that sends requests: the 50 with the most decisions. A request under two policies counts for both, and one with two approvers counts for both people.',
  query: Type.Object(
    {
      by: oneOf('OversightGrouping', ['policy', 'person', 'agent'], 'What the figures are grouped by.', {
        default: 'policy',
      }),
      period: Period,
    },
    closed,
  ),
  replies: {
    200: named(
      'OversightGroups',
      {
        groups: Type.Array(Group, { description: 'The groups, the one with the most decisions first.' }),
        leftOut: described(Count, 'The number of groups beyond the first 50.'),
      },
      { description: 'The figures of each policy, person or agent.' },
    ),
  },
})
