/** All partners, with the centers of each. */
import type { PartnerOverview } from '@countersign/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { usePages } from '../../app/pages.ts'
import { numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './operator.css'
import { useOperatorWords } from './words.ts'

const route = getRouteApi('/operator/partners')

export function PartnersPage() {
  const say = useOperatorWords()
  const language = useLanguage()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const q = useDeferredValue(search.q)
  const { rows, total, error, again, more } = usePages(['partners', 'operator', q], ({ limit, page, signal }) =>
    api.admin.listPartners({ limit, page, ...(q && { search: q }) }, { signal }),
  )
  const columns: readonly Column<PartnerOverview>[] = [
    { id: 'name', title: say('partner'), cell: ({ name }) => name },
    { id: 'kind', title: say('kind'), cell: ({ kind }) => say(`kind${kind}`) },
    {
      id: 'centers',
      title: say('centers'),
      align: 'right',
      cell: ({ id, centers }) => (
        <Link to="/operator/centers" search={{ partner: id }}>
          {say('showCenters', { count: numberText(centers, language) })}
        </Link>
      ),
    },
    { id: 'members', title: say('members'), align: 'right', cell: ({ members }) => numberText(members, language) },
    { id: 'since', title: say('since'), cell: ({ createdAt }) => <Time at={createdAt} form="day" /> },
  ]
  return (
    <Page
      title={say('partners')}
      lede={total !== undefined && say('count', { count: numberText(total, language) })}
      actions={
        <Link to="/operator/partners/new" className="btn first low">
          {say('newPartner')}
        </Link>
      }
    >
      <div className="operator-filters">
        <input
          className="field"
          type="search"
          aria-label={say('searchPartners')}
          placeholder={say('searchPartners')}
          value={search.q ?? ''}
          onChange={({ target }) => void navigate({ search: { q: target.value || undefined }, replace: true })}
        />
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={6} />}
      {rows?.length === 0 && (
        <Empty title={say(search.q ? 'noMatch' : 'noPartners')}>
          <p>{say(search.q ? 'noMatchText' : 'noPartnersText')}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <DataTable label={say('partners')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      {more && (
        <button type="button" className="btn plain low operator-more" onClick={more}>
          {say('more')}
        </button>
      )}
    </Page>
  )
}
