/** What the first page of a center's staff shows beside the inbox and the day's appointments. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { consoleOperation, staff } from './console-inbox.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Count = Type.Integer({ minimum: 0 })
const LocalDay = Type.String({ format: 'date', description: "A day in the center's time zone." })

const Draft = named(
  'TodayDraft',
  {
    executionId: TypedId('execution', 'The execution that wrote the draft.'),
    workflowId: TypedId('workflow', 'The workflow that ran.'),
    completedAt: described(DateTime, 'When the draft was written.'),
    sentToMe: Type.Boolean({ description: 'Whether you were asked to review it.' }),
    sentTo: nullable(
      Type.String({ description: 'The name of the member who was asked to review it. Null if nobody was.' }),
    ),
  },
  { description: "A workflow's draft that nobody has reviewed." },
)

const Day = named(
  'TodayDay',
  {
    day: LocalDay,
    attended: described(Count, 'The number of appointments that took place.'),
    missed: described(Count, 'The number of appointments to which nobody came.'),
    open: described(Count, 'The number of appointments without a record of attendance.'),
  },
  { description: 'The appointments of one day that were not canceled.' },
)

export const startSteps = ['name', 'hours', 'staff', 'clients', 'passkey', 'policy', 'agent'] as const

const Step = named(
  'TodayStep',
  {
    step: oneOf(
      'StartStep',
      startSteps,
      'What to do: name the center (`name`), save its opening hours (`hours`), invite staff (`staff`), add clients (`clients`), add a passkey of your own (`passkey`), add a policy (`policy`), or connect an agent (`agent`).',
    ),
    done: Type.Boolean({ description: 'Whether it has been done.' }),
  },
  { description: "One step of a new center's first week." },
)

export const getToday = operation({
  ...consoleOperation,
  id: 'console.getToday',
  method: 'GET',
  path: '/console/today',
  access: staff,
  store: 'cell',
  summary: "Retrieve today's overview",
  description:
    "Returns what the first page shows beside the inbox and the day's appointments. An ADMIN sees the appointments of the whole center, an INSTRUCTOR their own.",
  replies: {
    200: named(
      'Today',
      {
        since: described(DateTime, "The start of yesterday in the center's time zone."),
        sealed: described(Count, 'The number of decisions sealed since then, at most 1,000.'),
        rejected: described(Count, 'The number of decisions refused or expired since then, at most 1,000.'),
        joined: described(Count, 'The number of people whose membership began since then, at most 1,000.'),
        drafts: Type.Array(Draft, {
          description: 'Drafts that nobody has reviewed or refused, newest first, among the 100 newest executions.',
        }),
        days: Type.Array(Day, { description: 'Last week and this week, from Monday to Sunday.' }),
        steps: nullable(
          Type.Array(Step, {
            description:
              'What a new center does in its first week. Null for an INSTRUCTOR, and once every step has been done.',
          }),
        ),
      },
      { description: 'The overview of a day.' },
    ),
  },
})
