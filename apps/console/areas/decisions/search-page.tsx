/** What a center has and the person may list, by kind, found by what they remember of it. The filters are those of the decisions. */
import type { Found } from '@countersign/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useId, useRef } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { actionTypesQuery, foundQuery, kindsQuery, mostOfKind } from './data.ts'
import { FilterForm } from './filters.tsx'
import { DecisionRow } from './row.tsx'
import { filtersOf, longestQuestion, searchOf } from './search.ts'
import { SavedViews } from './views.tsx'
import { useDecisionsWords } from './words.ts'
import './decisions.css'

const route = getRouteApi('/c/$center/search')

interface KindProperties<T> {
  readonly title: string
  readonly of: readonly T[]
  readonly hasMore: boolean
  readonly keyOf: (each: T) => string
  /** Each child is a row of its own. */
  readonly isRows?: boolean
  readonly children: (each: T) => ReactNode
}

/** Nothing of a kind without results. */
function Kind<T>({ title, of, hasMore, keyOf, isRows = false, children }: KindProperties<T>) {
  const say = useDecisionsWords()
  const language = useLanguage()
  if (of.length === 0) return null
  const count = numberText(of.length, language)
  return (
    <Part title={`${title} · ${hasMore ? say('countOrMore', { count }) : count}`}>
      {isRows ? (
        <ul className="search-rows">{of.map(children)}</ul>
      ) : (
        <ul className="rows">
          {of.map((each) => (
            <li key={keyOf(each)}>{children(each)}</li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const isFull = (list: readonly unknown[]): boolean => list.length >= mostOfKind

function Others({ center, found }: { readonly center: string; readonly found: Found }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { people, bookings, policies } = found
  const at = { center }
  return (
    <>
      <Kind
        title={say('kindPeople')}
        of={people ?? []}
        hasMore={isFull(people ?? [])}
        keyOf={(each) => each.membershipId}
      >
        {({ name, email, membershipId }) => (
          <Link to="/c/$center/members" params={at} search={{ member: membershipId }}>
            <b>{name}</b> {email && <small>{email}</small>}
          </Link>
        )}
      </Kind>
      <Kind title={say('kindBookings')} of={bookings} hasMore={isFull(bookings)} keyOf={({ id }) => id}>
        {({ id, clientName, instructorName, startsAt }) => (
          <Link to="/c/$center/bookings" params={at} search={{ view: 'list', booking: id }}>
            <b>{clientName ?? say('formerMember')}</b>{' '}
            <small>
              {[timeText(startsAt, language, 'day'), timeText(startsAt, language, 'clock'), instructorName]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </Link>
        )}
      </Kind>
      <Kind title={say('kindPolicies')} of={policies ?? []} hasMore={isFull(policies ?? [])} keyOf={({ id }) => id}>
        {({ id, name }) => (
          <Link to="/c/$center/policies" params={at} search={{ policy: id }}>
            <b>{name}</b>
          </Link>
        )}
      </Kind>
    </>
  )
}

export function SearchPage() {
  const say = useDecisionsWords()
  const language = useLanguage()
  const id = useId()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const filters = filtersOf(search)
  const { q } = filters
  const isAsked = Object.keys(filters).length > 0
  const decisions = useInfiniteQuery({ ...foundQuery(center, filters), enabled: isAsked })
  const kinds = useQuery({ ...kindsQuery(center, q ?? ''), enabled: q !== undefined })
  const types = useQuery({ ...actionTypesQuery(center), enabled: q !== undefined })
  const items = decisions.data?.pages.flatMap((page) => page.decisions) ?? []
  const leftOut = decisions.data?.pages[0]?.leftOut ?? []
  const wanted = q?.trim().toLowerCase() ?? ''
  const named =
    wanted === ''
      ? []
      : (types.data ?? []).filter(({ name }) => [name.ko, name.en].some((each) => each?.toLowerCase().includes(wanted)))
  const ask = (next: typeof search) => void navigate({ search: next })
  useShortcuts([{ keys: '/', label: say('keyFind'), run: () => field.current?.focus() }])
  const isPending = isAsked && (decisions.isPending || (q !== undefined && kinds.isPending))
  const others = kinds.data
  const count =
    items.length +
    named.length +
    (others ? (others.people?.length ?? 0) + others.bookings.length + (others.policies?.length ?? 0) : 0)
  const error = decisions.error ?? kinds.error
  return (
    <Page title={say('searchTitle')} lede={say('searchLede')}>
      <form
        className="search-field"
        key={q}
        onSubmit={(event) => {
          event.preventDefault()
          ask(searchOf({ ...filters, q: field.current?.value.trim() }))
        }}
      >
        <label className="unseen" htmlFor={id}>
          {say('searchTitle')}
        </label>
        <input
          id={id}
          ref={field}
          className="field"
          type="search"
          enterKeyHint="search"
          placeholder={say('findHint')}
          defaultValue={q}
          maxLength={longestQuestion}
        />
        <button type="submit" className="btn first">
          {say('searchDo')}
        </button>
      </form>
      <FilterForm center={center} filters={filters} onSearch={ask} withState />
      <SavedViews center={center} filters={filters} onSearch={ask} />
      {error && (
        <ErrorPanel
          error={error}
          onRetry={() => {
            void decisions.refetch()
            void kinds.refetch()
          }}
        />
      )}
      {isPending && !error && <Skeleton rows={6} />}
      {leftOut.length > 0 && (
        <p className="small soft" role="status">
          {say('leftOut', { words: leftOut.join(', ') })}
        </p>
      )}
      {isAsked && !isPending && !error && count === 0 && (
        <Empty title={say('searchNothing')}>
          <p className="soft">{say('emptyText')}</p>
        </Empty>
      )}
      <Kind title={say('title')} of={items} isRows hasMore={decisions.hasNextPage} keyOf={({ eventId }) => eventId}>
        {(item) => <DecisionRow key={item.eventId} center={center} item={item} q={q} isWide />}
      </Kind>
      {decisions.hasNextPage && <ListFoot more={() => void decisions.fetchNextPage()} />}
      {others && <Others center={center} found={others} />}
      <Kind title={say('kindTypes')} of={named} hasMore={false} keyOf={({ type }) => type}>
        {({ type, name }) => (
          <Link to="/c/$center/search" params={{ center }} search={{ q: type }}>
            <b>{name[language] ?? type}</b> <small>{type}</small>
          </Link>
        )}
      </Kind>
    </Page>
  )
}
