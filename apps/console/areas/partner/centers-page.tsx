/** The centers of a partner, with search; the sheet of one of them; the figures that the specification names. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { usePages } from '../../app/pages.ts'
import { moneyText, numberText } from '../../ui/clock.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Figures } from '../../ui/figures.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { VerticalName } from '../../ui/new-center/vertical.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CenterSheet } from './center-sheet.tsx'
import { CenterStatus } from './center-status.tsx'
import './partner.css'
import { useDashboard, Waiting } from './waiting.tsx'
import { usePartnerWords } from './words.ts'

const route = getRouteApi('/p/')

export function CentersPage() {
  const say = usePartnerWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const q = useDeferredValue(search.q)
  useTitle(say('centers'))
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const { rows, total, error, again, more } = usePages(['centers', 'partner', q], ({ limit, page, signal }) =>
    api.partner.listCenters({ limit, page, ...(q && { search: q }) }, { signal }),
  )
  const chosen = rows?.find(({ id }) => String(id) === search.center) ?? (narrow ? undefined : rows?.[0])
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('centers')}</h1>
          <p className="soft small">{total !== undefined && say('centerCount', { count: total })}</p>
        </div>
        <Link to="/p/new" className="btn first low">
          {say('create')}
        </Link>
      </div>
      <Waiting />
      <div className="partner-search">
        <input
          className="field"
          type="search"
          aria-label={say('search')}
          placeholder={say('search')}
          value={search.q ?? ''}
          onChange={({ target }) => go({ q: target.value || undefined })}
        />
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={6} />}
      {rows?.length === 0 && (
        <Empty title={say(search.q ? 'noMatch' : 'noCenters')}>
          <p>{say(search.q ? 'noMatchText' : 'noCentersText')}</p>
        </Empty>
      )}
      {rows?.map((center) => (
        <Link
          key={center.id}
          from="/p/"
          search={(now) => ({ ...now, center: String(center.id) })}
          className="item"
          aria-current={center.id === chosen?.id ? 'true' : undefined}
        >
          <b>{center.name}</b>
          <span className="when">
            <CenterStatus status={center.status} />
          </span>
          <span className="sub">
            {center.centerDomain} · <VerticalName of={center.vertical} /> ·{' '}
            {say('people', { count: center.memberCount })}
          </span>
        </Link>
      ))}
      <ListFoot more={more} csv={{ path: '/api/partner/centers.csv', file: 'centers.csv' }} />
    </>
  )
  return (
    <Desk
      list={list}
      listLabel={say('centers')}
      sheet={chosen && <CenterSheet key={chosen.id} center={chosen} onBack={() => go({ center: undefined })} />}
      margin={<Numbers />}
    />
  )
}

function Numbers() {
  const say = usePartnerWords()
  const language = useLanguage()
  const { data } = useDashboard()
  if (!data) return null
  const { revenue } = data
  const money = (value: number) => moneyText(value, revenue.currency, language)
  return (
    <section>
      <h3>{say('numbers')}</h3>
      <Figures
        rows={[
          [say('totalCenters'), numberText(data.totalCenters, language)],
          [say('totalMembers'), numberText(data.totalMembers, language)],
          [say('activeToday'), numberText(data.activeToday, language)],
          [say('revenue'), money(revenue.monthlyRecurring)],
          ...revenue.byPlan.map(
            ({ planName, monthlyRecurring }) =>
              [say('revenueOf', { plan: planName }), money(monthlyRecurring)] as const,
          ),
        ]}
      />
    </section>
  )
}
