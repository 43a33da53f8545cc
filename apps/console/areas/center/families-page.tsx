/** The children of a center and their guardians. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { usePages } from '../../app/pages.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
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
  const [adding, setAdding] = useState(false)
  useTitle(say('families'))
  const { rows, total, error, again, more } = usePages(['members', center, 'children'], ({ limit, page, signal }) =>
    api.children.list(center, { limit, page }, { signal }),
  )
  const chosen = rows?.find(({ actorId }) => actorId === child)
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('families')}</h1>
          <p className="soft small">{total !== undefined && say('childCount', { count: total })}</p>
        </div>
        <button type="button" className="btn first low" onClick={() => setAdding(true)}>
          {say('addChild')}
        </button>
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
          aria-current={actorId === child ? 'true' : undefined}
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
      {more && (
        <button type="button" className="btn plain low center-more" onClick={more}>
          {say('more')}
        </button>
      )}
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
      {adding && <AddChild center={center} onClose={() => setAdding(false)} />}
    </>
  )
}

function AddChild({ center, onClose }: { readonly center: string; readonly onClose: () => void }) {
  const say = useCenterWords()
  const [name, setName] = useState('')
  const add = useChange(['members', 'subscription'], () => api.children.create(center, { name }), onClose)
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={onClose}>
        {say('close')}
      </button>
      <button
        type="button"
        className="btn first"
        disabled={name.trim() === '' || add.isPending}
        onClick={() => add.mutate()}
      >
        {say('addChild')}
      </button>
    </>
  )
  return (
    <Dialog title={say('addChildTitle')} onClose={onClose} actions={actions}>
      <Field
        label={say('name')}
        hint={say('addChildHint')}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <ErrorLine error={add.error} />
    </Dialog>
  )
}
