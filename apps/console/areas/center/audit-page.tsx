/** Who changed what in this center, newest first. */
import type { CenterAuditEntry } from '@countersign/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { usePages } from '../../app/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { addDays, isDay, startOf } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { Details } from '../../ui/details.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { CsvButton, ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { auditTypes } from './search.ts'
import { Select } from './select.tsx'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/audit')

export function AuditPage() {
  const say = useCenterWords()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const filters = {
    ...(search.type && { type: search.type }),
    ...(isDay(search.from) && { from: startOf(search.from) }),
    ...(isDay(search.to) && { to: startOf(addDays(search.to, 1)) }),
  }
  const { rows, total, counts, error, again, more } = usePages(['audit', center, filters], ({ limit, page, signal }) =>
    api.audit.list({ limit, page, ...filters }, { signal }),
  )
  const columns: readonly Column<CenterAuditEntry>[] = [
    { id: 'at', title: say('when'), cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { id: 'who', title: say('who'), cell: ({ actorName, actorId }) => actorName ?? actorId ?? say('service') },
    { id: 'type', title: say('kind'), cell: ({ type }) => say(`audit${type}`) },
    { id: 'action', title: say('action'), mono: true, cell: ({ action }) => action },
    {
      id: 'target',
      title: say('target'),
      cell: ({ targetName, targetType, targetId }) => (
        <span title={targetId}>{targetName ?? `${targetType} …${targetId.slice(-8)}`}</span>
      ),
    },
    {
      id: 'details',
      title: say('details'),
      cell: ({ details }) => <Details value={details} />,
    },
  ]
  return (
    <Page
      title={say('audit')}
      lede={total !== undefined && say('auditCount', { count: total })}
      actions={
        <CsvButton
          className="btn plain low"
          path={`/api/audit.csv?${new URLSearchParams(filters)}`}
          file={`audit-${center}.csv`}
        />
      }
    >
      <div className="filter-line">
        <Select
          label={say('kind')}
          none={say('anyKind')}
          value={search.type}
          options={auditTypes.map((each) => [each, `${say(`audit${each}`)}${counts ? ` ${counts.byType[each]}` : ''}`])}
          onChange={(next) => go({ type: next })}
        />
        {(['from', 'to'] as const).map((edge) => (
          <label key={edge}>
            <span className="label">{say(edge === 'from' ? 'fromDay' : 'toDay')}</span>
            <input
              type="date"
              className="field"
              value={search[edge] ?? ''}
              onChange={({ target }) => go({ [edge]: target.value || undefined })}
            />
          </label>
        ))}
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={8} />}
      {rows?.length === 0 && <Empty title={say('noAudit')}>{say('noAuditText')}</Empty>}
      {rows && rows.length > 0 && (
        <DataTable label={say('audit')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <ListFoot more={more} />
    </Page>
  )
}
