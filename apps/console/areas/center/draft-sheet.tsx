/** A draft of a workflow as it was written, and beside it the figures that it counts from and the review. */
import type { JsonObject, Workflow } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { AskButton, type Wanted } from '../../ui/ask.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Figures as FigureList } from '../../ui/figures.tsx'
import { SheetName } from '../../ui/sheet-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { Review } from './review.tsx'
import { useCenterWords } from './words.ts'
import { ExecutionStatus } from './workflow-sheet.tsx'

const useRun = (executionId: string) =>
  useQuery({
    queryKey: ['workflows', 'run', executionId],
    queryFn: ({ signal }) => api.executions.get(executionId, { signal }),
    // A safety net beside the event stream, while it runs.
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 30_000 : false),
  })

const useDraft = (dpuId: string | null | undefined) =>
  useQuery({
    queryKey: ['workflows', 'draft', dpuId],
    enabled: Boolean(dpuId),
    queryFn: ({ signal }) => api.dpus.get(dpuId ?? '', { signal }),
  })

interface Properties {
  readonly center: string
  readonly executionId: string
  readonly workflow: Workflow
  readonly onBack: () => void
}

export function DraftSheet({ center, executionId, workflow, onBack }: Properties) {
  const say = useCenterWords()
  const { data: run, error, refetch } = useRun(executionId)
  const draft = useDraft(run?.dpuId)
  const cancel = useChange(['workflows'], () => api.executions.cancel(executionId))
  const asked = draft.data?.metadata.asks as Wanted | undefined
  return (
    <Sheet label={workflow.name}>
      <button type="button" className="quiet back always" onClick={onBack}>
        ← {workflow.name}
      </button>
      <SheetName name={workflow.name} className="unseen" />
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!run && !error && <Skeleton rows={6} />}
      {run && (
        <p className="center-draft-head">
          <ExecutionStatus status={run.status} /> <Time at={run.startedAt} form="long" />
        </p>
      )}
      {draft.data && (
        <>
          <p className={`center-ribbon ${draft.data.evidenceLevel === 'DRAFT' ? 'waiting' : 'verified'}`}>
            <span aria-hidden="true">{draft.data.evidenceLevel === 'DRAFT' ? '◷ ' : '✓ '}</span>
            {say(draft.data.evidenceLevel === 'DRAFT' ? 'needsReview' : 'reviewed')}
          </p>
          <div className="center-draft">{draft.data.content}</div>
          {asked && <AskButton center={center} wanted={{ ...asked, tags: draft.data.tags }} />}
          {draft.data.people.length > 0 && (
            <Part title={say('peopleInDraft')}>
              <dl className="facts">
                {draft.data.people.map(({ label, name }) => (
                  <Row key={label} name={label} value={name} />
                ))}
              </dl>
            </Part>
          )}
        </>
      )}
      {draft.error && <ErrorPanel error={draft.error} onRetry={() => void draft.refetch()} />}
      {run?.failure && <p className="broken">{run.failure}</p>}
      {run && (
        <Part title={say('steps')}>
          <ol className="rows">
            {run.steps.map(({ name, status, attempts, error: why }) => (
              <li key={name}>
                <span>
                  <b>{name}</b>
                  {why && <small>{why}</small>}
                </span>
                <span className="soft small">{attempts > 1 && say('attempts', { count: attempts })}</span>
                <StatusWord tone={status === 'COMPLETED' ? 'verified' : status === 'FAILED' ? 'broken' : 'waiting'}>
                  {say(`step${status}`)}
                </StatusWord>
              </li>
            ))}
          </ol>
          {run.status === 'RUNNING' && (
            <button type="button" className="btn plain low" onClick={() => cancel.mutate()}>
              {say('cancelRun')}
            </button>
          )}
          <ErrorLine error={cancel.error} />
        </Part>
      )}
    </Sheet>
  )
}

const Row = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt className="mono">{name}</dt>
    <dd>{value}</dd>
  </>
)

/** Figures as a table of names and numbers, however deep they lie; long lists are counted. */
function flat(value: JsonObject, before = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, each]): (readonly [string, string])[] => {
    const path = before === '' ? name : `${before} · ${name}`
    if (Array.isArray(each)) {
      return each.every((item) => typeof item !== 'object') && each.length <= 5
        ? [[path, each.join(', ') || '0']]
        : [[path, String(each.length)]]
    }
    if (each !== null && typeof each === 'object') return flat(each as JsonObject, path)
    return [[path, String(each)]]
  })
}

/** A time of the server as the clock of the center shows it. */
const Value = ({ value }: { readonly value: string }) =>
  /^\d{4}-\d\d-\d\dT\S+Z$/.test(value) ? <Time at={value} /> : value === 'null' ? '–' : value

export function Figures({ executionId }: { readonly executionId: string }) {
  const say = useCenterWords()
  const { data: run } = useRun(executionId)
  const { data: draft } = useDraft(run?.dpuId)
  if (!draft) return null
  // What the draft offers to ask for stands in that form.
  const { asks: _, ...figures } = draft.metadata
  return (
    <>
      <section>
        <h3>{say('figures')}</h3>
        <FigureList rows={flat(figures).map(([name, value]) => [name, <Value key={name} value={value} />])} />
      </section>
      {draft.evidenceLevel !== 'AUDIT_READY' && run?.status === 'COMPLETED' && (
        <Review dpuId={draft.id} level={draft.evidenceLevel} metadata={draft.metadata} />
      )}
    </>
  )
}
