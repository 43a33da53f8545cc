/** The children of a center and their guardians. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useOffers } from '../../app/offers.ts'
import { usePages } from '../../app/pages.ts'
import { AddChild } from '../../ui/add-child.tsx'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import './center.css'
import { ChildSheet } from './child-sheet.tsx'
import { MemberStatus } from './member-sheet.tsx'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/families')

export function FamiliesPage() {
  const say = useCenterWords()
  const { center } = route.useParams()
  const { child } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const { families: mayAdd } = useOffers(center)
  const [adding, setAdding] = useState(false)
  useTitle(say('families'))
  const { rows, total, error, again, more } = usePages(['members', center, 'children'], ({ limit, page, signal }) =>
    api.children.list(center, { limit, page }, { signal }),
  )
  const chosen = rows?.find(({ actorId }) => actorId === child) ?? (narrow ? undefined : rows?.[0])
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('families')}</h1>
          <p className="soft small">{total !== undefined && say('childCount', { count: total })}</p>
        </div>
        {mayAdd && (
          <button type="button" className="btn first low" onClick={() => setAdding(true)}>
            {say('addChild')}
          </button>
        )}
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={6} />}
      {rows?.length === 0 && (
        <Empty title={say('noChildren')}>
          <p>{say('noChildrenText')}</p>
        </Empty>
      )}
      {rows?.map(({ actorId, name, membership, guardians }) => (
        <Link
          key={actorId}
          from="/c/$center/families"
          search={{ child: actorId }}
          className="item"
          aria-current={actorId === chosen?.actorId ? 'true' : undefined}
        >
          <b>{name}</b>
          <span className="when">
            <MemberStatus status={membership.status} />
          </span>
          <span className="sub">
            {guardians
              .filter(({ status }) => status !== 'ENDED')
              .map((each) => each.name || each.email)
              .join(', ') || say('noGuardian')}
          </span>
        </Link>
      ))}
      <ListFoot more={more} />
    </>
  )
  return (
    <>
      <Desk
        list={list}
        listLabel={say('families')}
        sheet={
          chosen && (
            <ChildSheet
              key={chosen.actorId}
              center={center}
              child={chosen}
              onBack={() => void navigate({ search: { child: undefined }, replace: true })}
            />
          )
        }
      />
      {adding && (
        <AddChild
          center={center}
          title={say('addChild')}
          hint={say('addChildHint')}
          names={['members', 'subscription']}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
