/** Periodic jobs of each cell: the last success, failures, and the next run. Those that need a person come first. */
import type { JobOverview } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { isFailing, useOverview } from './data.ts'
import { useOperatorWords } from './words.ts'

interface Row extends JobOverview {
  readonly cell: string
}

const stateOf = (job: JobOverview): readonly [Tone, 'failing' | 'late' | 'running' | 'expected' | 'inTime'] => {
  if (isFailing(job)) return ['broken', 'failing']
  if (job.late) return ['waiting', 'late']
  if (job.running) return ['plain', 'running']
  return job.lastSuccessAt === null ? ['plain', 'expected'] : ['verified', 'inTime']
}

const order = ['broken', 'waiting', 'plain', 'verified']

export function JobsPage() {
  const say = useOperatorWords()
  const language = useLanguage()
  const { data, error, refetch } = useOverview()
  const rows: readonly Row[] | undefined = data?.cells
    .flatMap(({ name: cell, jobs }) => jobs.map((job) => ({ ...job, cell })))
    .toSorted((one, other) => order.indexOf(stateOf(one)[0]) - order.indexOf(stateOf(other)[0]))
  const time = (at: string | null) => (at ? <Time at={at} /> : <span className="soft">{say('never')}</span>)
  const columns: readonly Column<Row>[] = [
    { id: 'name', title: say('job'), mono: true, cell: ({ name }) => name },
    { id: 'cell', title: say('cell'), mono: true, cell: ({ cell }) => cell },
    {
      id: 'state',
      title: say('state'),
      cell: (job) => <StatusWord tone={stateOf(job)[0]}>{say(stateOf(job)[1])}</StatusWord>,
    },
    { id: 'success', title: say('lastSuccess'), cell: ({ lastSuccessAt }) => time(lastSuccessAt) },
    {
      id: 'failure',
      title: say('lastFailure'),
      cell: ({ lastFailureAt, lastError }) => (
        <>
          {time(lastFailureAt)} {lastError && <span className="mono soft">{lastError}</span>}
        </>
      ),
    },
    { id: 'failures', title: say('failures'), align: 'right', cell: ({ failures }) => numberText(failures, language) },
    { id: 'next', title: say('nextRun'), cell: ({ nextAt }) => <Time at={nextAt} form="clock" /> },
    { id: 'schedule', title: say('schedule'), mono: true, cell: ({ schedule }) => schedule },
  ]
  return (
    <Page title={say('jobs')} lede={say('jobsLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!rows && !error && <Skeleton rows={8} />}
      {rows?.length === 0 && (
        <Empty title={say('noJobs')}>
          <p>{say('noJobsText')}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <DataTable label={say('jobs')} columns={columns} rows={rows} keyOf={({ cell, name }) => `${cell} ${name}`} />
      )}
    </Page>
  )
}
