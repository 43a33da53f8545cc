/** What changed in the partner and all its centers, newest first. Days are days in UTC, as the API has them. */
import type { AuditEntry } from '@countersign/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { usePages } from '../../app/pages.ts'
import { AuditEntryText, WhoSelect } from '../../ui/audit/entry.tsx'
import { auditTypes } from '../../ui/audit/types.ts'
import { useAuditWords } from '../../ui/audit/words.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { isDay } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
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
  const words = useAuditWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const chosen = {
    ...(search.type && { type: search.type }),
    ...(search.who && { actorId: search.who }),
    ...(isDay(search.from) && { startDate: search.from }),
    ...(isDay(search.to) && { endDate: search.to }),
  }
  const { rows, total, error, again, more } = usePages(['audit', 'partner', chosen], ({ limit, page, signal }) =>
    api.partner.listAuditEntries({ limit, page, ...chosen }, { signal }),
  )
  const columns: readonly Column<AuditEntry>[] = [
    { id: 'at', title: say('when'), cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { id: 'center', title: say('center'), cell: ({ centerName }) => centerName ?? say('partner') },
    {
      id: 'what',
      title: words('happened'),
      cell: (entry) => (
        <AuditEntryText
          entry={{ ...entry, action: String(entry.details.action ?? '') }}
          onWho={(who) => go({ who })}
          open={null}
        />
      ),
    },
  ]
  return (
    <Page title={say('audit')} lede={total !== undefined && say('auditCount', { count: total })}>
      <div className="filter-line">
        <WhoSelect rows={rows ?? []} staff={[]} value={search.who} onChange={(who) => go({ who })} />
        <select
          className="field"
          aria-label={words('kind')}
          value={search.type ?? ''}
          onChange={({ target }) => go({ type: auditTypes.find((each) => each === target.value) })}
        >
          <option value="">{words('anyKind')}</option>
          {auditTypes.map((each) => (
            <option key={each} value={each}>
              {words(`kind ${each}`)}
            </option>
          ))}
        </select>
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
      {rows?.length === 0 && <Empty title={say('noAudit')} />}
      {rows && rows.length > 0 && (
        <DataTable label={say('audit')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <ListFoot more={more} />
    </Page>
  )
}
