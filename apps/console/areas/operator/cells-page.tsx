/** The databases that hold what centers produce: which answer, and what waits in each. */
import type { CellOverview } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { useOverview } from './data.ts'
import { useOperatorWords } from './words.ts'

export function CellsPage() {
  const say = useOperatorWords()
  const language = useLanguage()
  const { data, error, refetch } = useOverview()
  const number = (value: number | undefined) => (value === undefined ? '–' : numberText(value, language))
  const wait = (seconds: number | undefined) => {
    if (seconds === undefined) return '–'
    return seconds < 1 ? say('onTime') : durationText(seconds * 1000, language)
  }
  const columns: readonly Column<CellOverview>[] = [
    { id: 'name', title: say('cell'), mono: true, cell: ({ name }) => name },
    {
      id: 'state',
      title: say('state'),
      cell: ({ up }) => <StatusWord tone={up ? 'verified' : 'broken'}>{say(up ? 'up' : 'away')}</StatusWord>,
    },
    {
      id: 'centers',
      title: say('centers'),
      align: 'right',
      cell: ({ name, centers }) => (
        <Link to="/operator/centers" search={{ cell: name }}>
          {say('showCenters', { count: number(centers) })}
        </Link>
      ),
    },
    {
      id: 'alarms',
      title: say('alarms'),
      align: 'right',
      cell: ({ up, alarms }) =>
        alarms.length > 0 ? <StatusWord tone="broken">{number(alarms.length)}</StatusWord> : up ? '0' : '–',
    },
    {
      id: 'deliveries',
      title: say('overdueDeliveries'),
      align: 'right',
      cell: ({ queues }) => wait(queues?.overdueDeliverySeconds),
    },
    { id: 'held', title: say('held'), align: 'right', cell: ({ queues }) => number(queues?.heldDeliveries) },
    { id: 'failing', title: say('endpoints'), align: 'right', cell: ({ queues }) => number(queues?.failingEndpoints) },
    { id: 'runs', title: say('executions'), align: 'right', cell: ({ queues }) => number(queues?.runningExecutions) },
    {
      id: 'steps',
      title: say('overdueExecutions'),
      align: 'right',
      cell: ({ queues }) => wait(queues?.overdueExecutionSeconds),
    },
  ]
  return (
    <Page title={say('cells')} lede={say('cellsLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && <DataTable label={say('cells')} columns={columns} rows={data.cells} keyOf={({ name }) => name} />}
    </Page>
  )
}
