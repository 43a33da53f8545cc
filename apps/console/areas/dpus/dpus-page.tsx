/** Every DPU of the center, newest first, by level, tag, workflow and day. */
import type { DpuSummary } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { usePages } from '../../app/pages.ts'
import { numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { useWorkflowWords } from '../../ui/workflow-words.ts'
import './dpus.css'
import { Filters } from './filters.tsx'
import { filtersOf } from './search.ts'
import { firstLine } from './text.ts'
import { useDpusWords } from './words.ts'

const route = getRouteApi('/c/$center/dpus')
const tones = { DRAFT: 'waiting', DOCUMENTED: 'plain', AUDIT_READY: 'verified' } as const

export function DpusPage() {
  const say = useDpusWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const tag = useRef<HTMLInputElement>(null)
  const filters = filtersOf(search)
  const { rows, total, counts, error, again, more } = usePages(['dpus', center, filters], ({ limit, page, signal }) =>
    api.dpus.list({ limit, page, ...filters }, { signal }),
  )
  const worded = useWorkflowWords()
  const { data: found = [] } = useQuery({
    queryKey: ['workflows', center],
    queryFn: ({ signal }) => api.workflows.list({ signal }),
  })
  const workflows = found.map(worded)
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('td a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
  }
  useShortcuts([
    { keys: 'j', label: say('keyNext'), run: () => step(1) },
    { keys: 'k', label: say('keyBefore'), run: () => step(-1) },
    { keys: '/', label: say('keyTag'), run: () => tag.current?.focus() },
  ])
  const nameOf = ({ workflowId, createdBy }: DpuSummary) =>
    workflows.find(({ id }) => id === workflowId)?.name ?? createdBy?.name ?? ''
  const columns: readonly Column<DpuSummary>[] = [
    {
      id: 'content',
      title: say('content'),
      cell: (dpu) => (
        <Opened dpu={dpu} center={center}>
          {firstLine(dpu.content) || say('redacted')}
        </Opened>
      ),
    },
    {
      id: 'level',
      title: say('level'),
      cell: ({ evidenceLevel }) => <StatusWord tone={tones[evidenceLevel]}>{say(`level${evidenceLevel}`)}</StatusWord>,
    },
    { id: 'by', title: say('by'), cell: nameOf },
    { id: 'tags', title: say('tags'), cell: ({ tags }) => tags.join(', ') },
    { id: 'when', title: say('when'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page
      title={say('title')}
      lede={
        <>
          {say('lede')} {total !== undefined && say('count', { count: numberText(total, language) })}
        </>
      }
      actions={
        <button type="button" className="btn plain low" disabled={!rows?.length} onClick={() => print()}>
          {say('print')}
        </button>
      }
    >
      <Filters
        search={search}
        workflows={workflows}
        counts={counts?.byEvidenceLevel}
        tag={tag}
        onSearch={(next) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })}
      />
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={8} />}
      {rows?.length === 0 && (
        <Empty title={say(isFiltered ? 'emptyTitle' : 'noneTitle')}>
          <p className="soft">{say(isFiltered ? 'emptyText' : 'noneText')}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <div ref={list} className="dpus">
          <DataTable label={say('title')} columns={columns} rows={rows} keyOf={({ id }) => id} />
        </div>
      )}
      <ListFoot more={more} />
    </Page>
  )
}

interface OpenedProperties {
  readonly dpu: DpuSummary
  readonly center: string
  readonly children: ReactNode
}

/** The page that shows all of it: the decision, or the draft of a workflow. Others are shown by the verifier. */
function Opened({ dpu: { id, domain, workflowId, referenceId, referenceType }, center, children }: OpenedProperties) {
  if (domain === 'proof')
    return (
      <Link className="link" to="/c/$center/decisions" params={{ center }} search={{ id: id.replace(/^dpu_/, 'evt_') }}>
        {children}
      </Link>
    )
  if (workflowId !== null && referenceId !== null && referenceType === 'workflow_execution')
    return (
      <Link
        className="link"
        to="/c/$center/workflows"
        params={{ center }}
        search={{ workflow: workflowId, run: referenceId }}
      >
        {children}
      </Link>
    )
  return (
    <a className="link" href={`/verify/${id}`}>
      {children}
    </a>
  )
}
