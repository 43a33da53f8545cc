/** For administrators: whether people read what they decide, how long it takes, and what they refuse, for each policy. */
import type { PolicyOversight } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { oversightQuery } from './data.ts'
import { useInboxWords } from './words.ts'
import './inbox.css'

const route = getRouteApi('/c/$center/inbox/oversight')
/** Opened for less than this, a decision counts as not read. */
const unreadSeconds = 5

function Share({ part, of }: { readonly part: number; readonly of: number }) {
  const language = useLanguage()
  const share = of === 0 ? 0 : part / of
  return (
    <span className="inbox-share">
      <svg width="64" height="8" aria-hidden="true">
        <path d="M0 4H64" stroke="var(--line)" />
        <path d={`M0 4H${64 * share}`} stroke="var(--ink)" strokeWidth="3" />
      </svg>
      {numberText(part, language)}
    </span>
  )
}

export function OversightPage() {
  const say = useInboxWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const [days, setDays] = useState(30)
  const { data, error, refetch } = useQuery(oversightQuery(center, days))
  const spent = (seconds: number | null) =>
    seconds === null
      ? '–'
      : seconds < 60
        ? say('seconds', { count: Math.round(seconds) })
        : durationText(seconds * 1000, language)
  const columns: readonly Column<PolicyOversight>[] = [
    {
      id: 'policy',
      title: say('colPolicy'),
      cell: ({ name }) => name ?? <span className="soft">{say('withdrawn')}</span>,
    },
    { id: 'decided', title: say('colDecided'), align: 'right', cell: ({ decided }) => numberText(decided, language) },
    {
      id: 'opened',
      title: say('colOpened'),
      align: 'right',
      cell: (row) => <Share part={row.opened} of={row.decided} />,
    },
    { id: 'time', title: say('colTime'), align: 'right', cell: (row) => spent(row.medianSecondsToDecide) },
    {
      id: 'read',
      title: say('colRead'),
      align: 'right',
      cell: ({ medianSecondsOpen: open }) => (
        <>
          {spent(open)}{' '}
          {open !== null && open < unreadSeconds && <StatusWord tone="waiting">{say('unread')}</StatusWord>}
        </>
      ),
    },
    {
      id: 'refused',
      title: say('colRefused'),
      align: 'right',
      cell: (row) => <Share part={row.refused} of={row.decided} />,
    },
    {
      id: 'expired',
      title: say('colExpired'),
      align: 'right',
      cell: (row) => <Share part={row.expired} of={row.decided} />,
    },
  ]
  return (
    <Page
      title={say('oversightTitle')}
      lede={data && say('oversightLede', { days, count: numberText(data.decisions, language) })}
      actions={
        <>
          <label className="small soft inbox-days">
            {say('days')}{' '}
            <select className="field" value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {[7, 30, 90].map((count) => (
                <option key={count} value={count}>
                  {say('daysCount', { count })}
                </option>
              ))}
            </select>
          </label>
          <Link to="/c/$center/inbox" params={{ center }} className="btn plain">
            {say('toInbox')}
          </Link>
        </>
      }
    >
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {data?.policies.length === 0 && (
        <Empty title={say('oversightEmpty')}>
          <p className="soft">{say('oversightEmptyText')}</p>
        </Empty>
      )}
      {data && data.policies.length > 0 && (
        <DataTable
          label={say('oversightTitle')}
          columns={columns}
          rows={data.policies}
          keyOf={({ policyId }) => policyId}
        />
      )}
    </Page>
  )
}
