/** Who changed what in this center, newest first. */
import type { CenterAuditEntry } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { usePages } from '../../app/pages.ts'
import { useMe } from '../../app/queries.ts'
import { staffQuery } from '../../app/staff.ts'
import { AuditEntryText, WhoSelect } from '../../ui/audit/entry.tsx'
import { auditTypes } from '../../ui/audit/types.ts'
import { useAuditWords } from '../../ui/audit/words.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { addDays, isDay, startOf } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { CsvButton, ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { Select } from './select.tsx'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/audit')

export function AuditPage() {
  const say = useCenterWords()
  const words = useAuditWords()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const filters = {
    ...(search.type && { type: search.type }),
    ...(search.who && { actorId: search.who }),
    ...(isDay(search.from) && { from: startOf(search.from) }),
    ...(isDay(search.to) && { to: startOf(addDays(search.to, 1)) }),
  }
  const { rows, total, counts, error, again, more } = usePages(['audit', center, filters], ({ limit, page, signal }) =>
    api.audit.list({ limit, page, ...filters }, { signal }),
  )
  const { data: me } = useMe()
  const isAdmin = me?.memberships.find(({ centerDomain }) => centerDomain === center)?.role === 'ADMIN'
  const { data: staff = [] } = useQuery(staffQuery(center, isAdmin))
  const columns: readonly Column<CenterAuditEntry>[] = [
    { id: 'at', title: say('when'), cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    {
      id: 'what',
      title: words('happened'),
      cell: (entry) => (
        <AuditEntryText entry={entry} onWho={(who) => go({ who })} open={<Opened entry={entry} center={center} />} />
      ),
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
        <WhoSelect rows={rows ?? []} staff={staff} value={search.who} onChange={(who) => go({ who })} />
        <Select
          label={words('kind')}
          none={words('anyKind')}
          value={search.type}
          options={auditTypes.map((each) => [
            each,
            `${words(`kind ${each}`)}${counts ? ` ${counts.byType[each]}` : ''}`,
          ])}
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

/** The page of what was changed. */
function Opened({
  entry: { targetType, targetId },
  center,
}: {
  readonly entry: CenterAuditEntry
  readonly center: string
}) {
  const say = useAuditWords()
  if (targetType === 'execution') return null
  if (targetId.startsWith('evt_'))
    return (
      <Link className="link" to="/c/$center/decisions" params={{ center }} search={{ id: targetId }}>
        {say('open')}
      </Link>
    )
  // Of a decision or of a workflow: the verifier shows both.
  if (targetId.startsWith('dpu_'))
    return (
      <a className="link" href={`/verify/${targetId}`}>
        {say('open')}
      </a>
    )
  if (targetType !== 'membership') return null
  return (
    <Link className="link" to="/c/$center/members" params={{ center }} search={{ member: targetId }}>
      {say('open')}
    </Link>
  )
}
