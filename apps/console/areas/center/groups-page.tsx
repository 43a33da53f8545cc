/** The groups of a center: a list, and the sheet of one of them. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { groupsQuery } from '../../app/staff.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import './center.css'
import { GroupDialog } from './group-dialog.tsx'
import { GroupSheet } from './group-sheet.tsx'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/groups')

export function GroupsPage() {
  const say = useCenterWords()
  const { center } = route.useParams()
  const { group } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const [making, setMaking] = useState(false)
  useTitle(say('groups'))
  const { data, error, refetch } = useQuery(groupsQuery(center))
  const chosen = data?.find(({ id }) => id === group) ?? (narrow ? undefined : data?.[0])
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('groups')}</h1>
          <p className="soft small">{say('groupsLede')}</p>
        </div>
        <button type="button" className="btn first low" onClick={() => setMaking(true)}>
          {say('addGroup')}
        </button>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data?.length === 0 && <Empty title={say('noGroups')}>{say('noGroupsText')}</Empty>}
      {data?.map(({ id, name, people }) => (
        <Link
          key={id}
          from="/c/$center/groups"
          search={{ group: id }}
          className="item"
          aria-current={id === chosen?.id ? 'true' : undefined}
        >
          <b>{name}</b>
          <span className="when">{say('memberCount', { count: people.length })}</span>
          <span className="sub">{people.map((each) => each.name).join(', ')}</span>
        </Link>
      ))}
    </>
  )
  return (
    <>
      <Desk
        list={list}
        listLabel={say('groups')}
        sheet={
          chosen && (
            <GroupSheet
              key={chosen.id}
              center={center}
              group={chosen}
              onBack={() => void navigate({ search: { group: undefined }, replace: true })}
            />
          )
        }
      />
      {making && <GroupDialog center={center} onClose={() => setMaking(false)} />}
    </>
  )
}
