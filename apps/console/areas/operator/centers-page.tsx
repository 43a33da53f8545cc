/** All centers, by name, slug or id, with their state and cell. */
import type { CenterOverview } from '@countersign/sdk'
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
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { useOverview } from './data.ts'
import './operator.css'
import { useOperatorWords } from './words.ts'

const route = getRouteApi('/operator/centers')
const statuses = ['ACTIVE', 'SUSPENDED', 'INACTIVE'] as const
const tones = { ACTIVE: 'verified', SUSPENDED: 'broken', INACTIVE: 'plain' } as const

export function PlatformCentersPage() {
  const say = useOperatorWords()
  const language = useLanguage()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const q = useDeferredValue(search.q)
  const status = statuses.find((each) => each === search.status)
  const { cell, partner } = search
  const { data: overview } = useOverview()
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const { rows, total, error, again, more } = usePages(
    ['centers', 'operator', q, status, cell, partner],
    ({ limit, page, signal }) =>
      api.admin.listCenters(
        {
          ...{ limit, page },
          ...(q && { search: q }),
          ...(status && { status }),
          ...(cell && { cell }),
          ...(partner && { partnerId: partner }),
        },
        { signal },
      ),
  )
  const columns: readonly Column<CenterOverview>[] = [
    {
      id: 'name',
      title: say('center'),
      cell: ({ id, name, centerDomain, sandbox }) => (
        <>
          <Link to="/operator/centers/$id" params={{ id: String(id) }}>
            {name}
          </Link>{' '}
          <span className="mono soft">{centerDomain}</span>{' '}
          {sandbox && (
            <span className="badge">
              <span aria-hidden="true">◇ </span>
              {say('sandbox')}
            </span>
          )}
        </>
      ),
    },
    { id: 'id', title: say('id'), mono: true, cell: ({ id }) => id },
    {
      id: 'state',
      title: say('state'),
      cell: (each) => <StatusWord tone={tones[each.status]}>{say(`status${each.status}`)}</StatusWord>,
    },
    { id: 'cell', title: say('cell'), mono: true, cell: (each) => each.cell },
    { id: 'partner', title: say('partner'), cell: (each) => each.partner?.name ?? '–' },
    { id: 'members', title: say('members'), align: 'right', cell: ({ members }) => numberText(members, language) },
    { id: 'since', title: say('since'), cell: ({ createdAt }) => <Time at={createdAt} form="day" /> },
  ]
  return (
    <Page title={say('centers')} lede={total !== undefined && say('count', { count: numberText(total, language) })}>
      <div className="operator-filters">
        <input
          className="field"
          type="search"
          aria-label={say('searchCenters')}
          placeholder={say('searchCenters')}
          value={search.q ?? ''}
          onChange={({ target }) => go({ q: target.value || undefined })}
        />
        <select
          className="field"
          aria-label={say('state')}
          value={status ?? ''}
          onChange={({ target }) => go({ status: target.value || undefined })}
        >
          <option value="">{say('anyState')}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {say(`status${each}`)}
            </option>
          ))}
        </select>
        <select
          className="field"
          aria-label={say('cell')}
          value={cell ?? ''}
          onChange={({ target }) => go({ cell: target.value || undefined })}
        >
          <option value="">{say('anyCell')}</option>
          {overview?.cells.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {partner && (
          <Link from="/operator/centers" search={(now) => ({ ...now, partner: undefined })}>
            {say('allPartners')}
          </Link>
        )}
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={8} />}
      {rows?.length === 0 && (
        <Empty title={say('noMatch')}>
          <p>{say('noMatchText')}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <DataTable label={say('centers')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      {more && (
        <button type="button" className="btn plain low operator-more" onClick={more}>
          {say('more')}
        </button>
      )}
    </Page>
  )
}
