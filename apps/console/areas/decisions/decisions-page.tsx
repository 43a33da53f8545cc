/** All decisions of the center: the list with its filters, one decision on the sheet, and what surrounds it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { useShortcuts } from '../../app/keys.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { countsQuery, foundQuery } from './data.ts'
import { DecisionSheet, Margin } from './detail.tsx'
import { List } from './list.tsx'
import { filtersOf } from './search.ts'
import { useDecisionsWords } from './words.ts'
import './decisions.css'

const route = getRouteApi('/c/$center/decisions')

export function DecisionsPage() {
  const say = useDecisionsWords()
  useTitle(say('title'))
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const filters = filtersOf(search)
  const found = useInfiniteQuery(foundQuery(center, filters))
  const counted = useQuery(countsQuery(center, filters))
  const find = useRef<HTMLInputElement>(null)
  const items = found.data?.pages.flatMap(({ decisions }) => decisions) ?? []
  const shown = search.id ?? (narrow ? undefined : items[0]?.eventId)
  const at = items.findIndex(({ eventId }) => eventId === shown)
  const step = (by: number) => {
    const to = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))]
    if (to) void navigate({ search: (before) => ({ ...before, id: to.eventId }), replace: true })
  }
  useShortcuts([
    { keys: 'j', label: say('keyNext'), run: () => step(1) },
    { keys: 'k', label: say('keyBefore'), run: () => step(-1) },
    { keys: '/', label: say('keyFind'), run: () => find.current?.focus() },
  ])
  return (
    <Desk
      listLabel={say('title')}
      list={
        <List
          {...{ center, search, items, shown, find, error: found.error, isPending: found.isPending }}
          leftOut={found.data?.pages[0]?.leftOut ?? []}
          total={counted.data?.pagination.total}
          counts={counted.data?.counts}
          more={found.hasNextPage ? () => void found.fetchNextPage() : null}
          onRetry={() => void found.refetch()}
          onSearch={(next) => void navigate({ search: next })}
        />
      }
      sheet={shown && <DecisionSheet key={shown} id={shown} center={center} />}
      margin={shown && <Margin key={shown} id={shown} center={center} />}
    />
  )
}
