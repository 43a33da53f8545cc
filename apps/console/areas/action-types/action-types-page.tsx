/** How a center words the actions that are requested of it: the list of types, and the sheet of one. */
import { inLanguage } from '@countersign/proof/action-template.ts'
import type { ActionType } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { recentQuery } from '../../app/recent.ts'
import { useRoles } from '../../app/role.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import './action-types.css'
import { isOwn, isSameType, typesQuery } from './data.ts'
import { TypeForm } from './type-form.tsx'
import { TypeSheet } from './type-sheet.tsx'
import { useTypeWords } from './words.ts'

const route = getRouteApi('/c/$center/action-types')

export function ActionTypesPage() {
  const say = useTypeWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const { type } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const mayChange = useRoles(center).includes('ADMIN')
  const [making, setMaking] = useState(false)
  useTitle(say('title'))
  const { data, error, refetch } = useQuery(typesQuery(center))
  const { data: recent } = useQuery(recentQuery(center))
  const own = data?.filter(isOwn) ?? []
  const provided = data?.filter((each) => !isOwn(each)) ?? []
  // What the service itself asks for has its own words.
  const unnamed = (data && recent ? recent.types : []).filter(
    (each) => !each.startsWith('countersign.') && !data?.some((known) => isSameType(known.type, each)),
  )
  const found = data?.find((each) => type !== undefined && isSameType(each.type, type))
  const first = narrow || type !== undefined ? undefined : (own[0] ?? provided[0])
  const template = found ?? first
  // Removed, or never described: the sheet can still describe it.
  const chosen = template?.type ?? type
  useShortcuts(mayChange ? [{ keys: 'n', label: say('add'), run: () => setMaking(true) }] : [])
  const row = (each: string, template?: ActionType) => (
    <Link
      key={each}
      from="/c/$center/action-types"
      search={{ type: each }}
      className="item"
      aria-current={each === chosen ? 'true' : undefined}
    >
      <b>{template ? inLanguage(template.name, language) : each}</b>
      {template && isOwn(template) && (
        <span className="when soft">{say('version', { version: template.version })}</span>
      )}
      {template && <span className="sub mono types-break">{each}</span>}
    </Link>
  )
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('title')}</h1>
          <p className="soft small">{say('lede')}</p>
        </div>
        {mayChange && (
          <button type="button" className="btn first low" onClick={() => setMaking(true)}>
            {say('add')}
          </button>
        )}
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} />}
      {data && own.length === 0 && (
        <Empty title={say('none')}>
          <p className="soft">{say('noneNext')}</p>
        </Empty>
      )}
      {own.length > 0 && <p className="group">{say('own')}</p>}
      {own.map((each) => row(each.type, each))}
      {unnamed.length > 0 && <p className="group">{say('unnamed')}</p>}
      {unnamed.map((each) => row(each))}
      {provided.length > 0 && <p className="group">{say('provided')}</p>}
      {provided.map((each) => row(each.type, each))}
    </>
  )
  return (
    <>
      <Desk
        list={list}
        listLabel={say('title')}
        sheet={
          data &&
          chosen !== undefined && (
            <TypeSheet
              key={chosen}
              center={center}
              type={chosen}
              template={template}
              mayChange={mayChange}
              onBack={() => void navigate({ search: {}, replace: true })}
            />
          )
        }
      />
      {making && (
        <TypeForm
          center={center}
          known={data ?? []}
          suggested={unnamed}
          onSaved={(saved) => void navigate({ search: { type: saved } })}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}
