/** The one call behind the overview, alarms, cells and jobs. */
import type { CellAlarm, CellOverview, JobOverview, PlatformOverview } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { overviewQuery } from '../../app/overview.ts'

export const useOverview = () => useQuery(overviewQuery)

/** Beyond this a queue counts as stuck, as in the runbook. */
const stuckSeconds = 60

export type Task =
  | { readonly kind: 'alarm'; readonly alarm: CellAlarm }
  | { readonly kind: 'away'; readonly cell: string; readonly centers: number }
  | { readonly kind: 'job'; readonly cell: string; readonly job: JobOverview }
  | {
      readonly kind: 'queue'
      readonly cell: string
      readonly queue: 'deliveries' | 'executions'
      readonly seconds: number
    }

export const isFailing = ({ lastFailureAt, lastSuccessAt }: JobOverview): boolean =>
  lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt > lastSuccessAt)

function tasksOf({ name, up, centers, alarms, jobs, queues }: CellOverview): readonly Task[] {
  const stuck = [
    ['deliveries', queues?.overdueDeliverySeconds ?? 0],
    ['executions', queues?.overdueExecutionSeconds ?? 0],
  ] as const
  return [
    ...alarms.map((alarm) => ({ kind: 'alarm' as const, alarm })),
    ...(up ? [] : [{ kind: 'away' as const, cell: name, centers }]),
    ...jobs.filter((job) => job.late || isFailing(job)).map((job) => ({ kind: 'job' as const, cell: name, job })),
    ...stuck
      .filter(([, seconds]) => seconds > stuckSeconds)
      .map(([queue, seconds]) => ({ kind: 'queue' as const, cell: name, queue, seconds })),
  ]
}

const urgency = ['alarm', 'away', 'job', 'queue']

/** What needs a person, the most urgent first: evidence, then what is out of reach, then what is late. */
export const allTasks = ({ cells }: PlatformOverview): readonly Task[] =>
  cells.flatMap(tasksOf).toSorted((one, other) => urgency.indexOf(one.kind) - urgency.indexOf(other.kind))
