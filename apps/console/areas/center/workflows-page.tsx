/** Workflows: what they do, their executions, and a draft beside its figures. */
import type { Workflow } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { later } from '../../ui/later.tsx'
import { useWorkflowWords } from '../../ui/workflow-words.ts'
import { Figures } from './draft/steps.tsx'
import { DraftsToReview } from './drafts-to-review.tsx'
import { useCenterWords } from './words.ts'
import { WorkflowSheet } from './workflow-sheet.tsx'

const DraftSheet = later(async () => (await import('./draft/draft-sheet.tsx')).DraftSheet, <Skeleton rows={8} />)

const route = getRouteApi('/c/$center/workflows')

export function WorkflowsPage() {
  const say = useCenterWords()
  const { center } = route.useParams()
  const { workflow, run } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  useTitle(say('workflows'))
  const worded = useWorkflowWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['workflows', center],
    queryFn: ({ signal }) => api.workflows.list({ signal }),
  })
  const workflows = data?.map(worded)
  const chosen = workflows?.find(({ id }) => id === workflow) ?? (narrow ? undefined : workflows?.[0])
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('workflows')}</h1>
          <p className="soft small">{say('workflowsLede')}</p>
        </div>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data?.length === 0 && <Empty title={say('noWorkflows')} />}
      {workflows && workflows.length > 0 && <DraftsToReview center={center} workflows={workflows} shown={run} />}
      {workflows?.map((each) => (
        <Item key={each.id} workflow={each} here={each.id === chosen?.id} />
      ))}
    </>
  )
  const back = (to: string | undefined) => void navigate({ search: { workflow: to, run: undefined } })
  return (
    <Desk
      list={list}
      listLabel={say('workflows')}
      sheet={
        chosen &&
        (run ? (
          <DraftSheet
            key={run}
            center={center}
            executionId={run}
            workflow={chosen}
            onBack={() => back(workflow)}
            onRunAgain={() => back(chosen.id)}
          />
        ) : (
          <WorkflowSheet key={chosen.id} center={center} workflow={chosen} onBack={() => back(undefined)} />
        ))
      }
      margin={run && chosen && <Figures key={run} executionId={run} />}
    />
  )
}

function Item({ workflow, here }: { readonly workflow: Workflow; readonly here: boolean }) {
  const say = useCenterWords()
  const { id, name, description, status, schedule, lastRun } = workflow
  return (
    <Link
      from="/c/$center/workflows"
      search={{ workflow: id, run: undefined }}
      className="item"
      aria-current={here ? 'true' : undefined}
    >
      <b>{name}</b>
      <span className="when">
        {status === 'INACTIVE' ? (
          <StatusWord tone="plain">{say('inactive')}</StatusWord>
        ) : (
          lastRun && <Time at={lastRun} />
        )}
      </span>
      <span className="sub">
        {schedule?.nextRun ? (
          <>
            {say('nextRun')} <Time at={schedule.nextRun} />
          </>
        ) : (
          description
        )}
      </span>
    </Link>
  )
}
