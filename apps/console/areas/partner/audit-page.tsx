/** What changed in the partner and all its centers, newest first. Days are days in UTC, as the API has them. */
import type { AuditEntry } from '@countersign/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { usePages } from '../../app/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { isDay } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { Details } from '../../ui/details.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './partner.css'
import { usePartnerWords } from './words.ts'

const route = getRouteApi('/p/audit')

export function PartnerAuditPage() {
  const say = usePartnerWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const days = {
    ...(isDay(search.from) && { startDate: search.from }),
    ...(isDay(search.to) && { endDate: search.to }),
  }
  const { rows, total, error, again, more } = usePages(['audit', 'partner', days], ({ limit, page, signal }) =>
    api.partner.listAuditEntries({ limit, page, ...days }, { signal }),
  )
  const columns: readonly Column<AuditEntry>[] = [
    { id: 'at', title: say('when'), cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { id: 'center', title: say('center'), cell: ({ centerName }) => centerName ?? say('partner') },
    { id: 'type', title: say('kind'), mono: true, cell: ({ type }) => type },
    {
      id: 'target',
      title: say('target'),
      cell: ({ targetType, targetId }) => <span title={targetId}>{`${targetType} …${targetId.slice(-8)}`}</span>,
    },
    { id: 'who', title: say('who'), cell: ({ actorId }) => (actorId ? `…${actorId.slice(-8)}` : say('service')) },
    {
      id: 'details',
      title: say('details'),
      cell: ({ details }) => <Details value={details} />,
    },
  ]
  return (
    <Page title={say('audit')} lede={total !== undefined && say('auditCount', { count: total })}>
      <div className="filter-line">
        {(['from', 'to'] as const).map((edge) => (
          <label key={edge}>
            <span className="label">{say(edge === 'from' ? 'fromDay' : 'toDay')}</span>
            <input
              type="date"
              className="field"
              value={search[edge] ?? ''}
              onChange={({ target }) =>
                void navigate({ search: (now) => ({ ...now, [edge]: target.value || undefined }), replace: true })
              }
            />
          </label>
        ))}
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={8} />}
      {rows?.length === 0 && <Empty title={say('noAudit')} />}
      {rows && rows.length > 0 && (
        <DataTable label={say('audit')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <ListFoot more={more} />
    </Page>
  )
}
