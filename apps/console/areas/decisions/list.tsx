/** The list with the filters of the API, which stand in the address. */
import type { DecisionCounts, FoundDecision } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useId } from 'react'
import { useDocs } from '../../app/docs.ts'
import { type Language, useLanguage } from '../../app/i18n.ts'
import { AskButton } from '../../ui/ask.tsx'
import { numberText, timeText } from '../../ui/clock.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { countsOf } from './data.ts'
import { FilterForm } from './filters.tsx'
import { DecisionRow } from './row.tsx'
import { type DecisionsSearch, filtersOf, longestQuestion, searchOf } from './search.ts'
import { SavedViews } from './views.tsx'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly search: DecisionsSearch
  readonly items: readonly FoundDecision[]
  readonly total: number | undefined
  readonly counts: DecisionCounts | undefined
  readonly shown: string | undefined
  readonly find: RefObject<HTMLInputElement | null>
  readonly error: unknown
  readonly isPending: boolean
  /** Words that no decision has. */
  readonly leftOut: readonly string[]
  /** Null: every one is shown. */
  readonly more: (() => void) | null
  onRetry(): void
  onSearch(search: DecisionsSearch): void
}

/** In the order of the list, the newest day first. */
function daysOf(items: readonly FoundDecision[], language: Language) {
  const days: { day: string; items: FoundDecision[] }[] = []
  for (const item of items) {
    const day = timeText(item.createdAt, language, 'day')
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

const states = [
  ['all', {}],
  ['waiting', { waiting: true }],
  ['sealed', { status: 'sealed' }],
  ['rejected', { status: 'rejected' }],
] as const

export function List(properties: Properties) {
  const docs = useDocs()
  const { center, search, items, total, shown, find, error, isPending, leftOut, more, onRetry, onSearch } = properties
  const say = useDecisionsWords()
  const language = useLanguage()
  const id = useId()
  const filters = filtersOf(search)
  const counts = properties.counts && countsOf(properties.counts)
  const { status: _status, waiting: _waiting, ...others } = filters
  const Heading = shown ? 'h2' : 'h1'
  const today = timeText(Date.now(), language, 'day')
  const current = filters.waiting ? 'waiting' : (filters.status ?? 'all')
  const ask = (event: FormEvent) => {
    event.preventDefault()
    onSearch(searchOf({ ...filters, q: find.current?.value.trim() }))
  }
  return (
    <div className="decisions-tray">
      <div className="tray-head">
        <Heading className="decisions-title">{say('title')}</Heading>
        {total !== undefined && (
          <span className="small soft">{say('total', { count: numberText(total, language) })}</span>
        )}
        <AskButton center={center} />
      </div>
      <form className="decisions-find" onSubmit={ask} key={search.q}>
        <label className="unseen" htmlFor={id}>
          {say('find')}
        </label>
        <input
          id={id}
          ref={find}
          className="field"
          placeholder={say('findHint')}
          defaultValue={search.q}
          type="search"
          enterKeyHint="search"
          maxLength={longestQuestion}
        />
      </form>
      <nav className="decisions-states" aria-label={say('state')}>
        {states.map(([name, filter]) => (
          <Link
            key={name}
            to="."
            search={{ ...others, ...filter }}
            className="quiet"
            aria-current={name === current ? 'true' : undefined}
            activeOptions={{ exact: true }}
          >
            {say(name)} {counts && <span className="soft">{numberText(counts[name], language)}</span>}
          </Link>
        ))}
      </nav>
      <FilterForm center={center} filters={filters} onSearch={onSearch} />
      <SavedViews center={center} filters={filters} onSearch={onSearch} />
      {leftOut.length > 0 && (
        <p className="small soft decisions-pad" role="status">
          {say('leftOut', { words: leftOut.join(', ') })}
        </p>
      )}
      {error ? <ErrorPanel error={error} onRetry={onRetry} /> : null}
      {isPending && (
        <div className="decisions-pad">
          <Skeleton rows={8} />
        </div>
      )}
      {!isPending && !error && items.length === 0 && (
        <Empty title={say(Object.keys(filters).length > 0 ? 'emptyTitle' : 'noneTitle')}>
          <p className="soft">{say(Object.keys(filters).length > 0 ? 'emptyText' : 'noneText')}</p>
          {Object.keys(filters).length === 0 && (
            <a className="link" href={docs}>
              {say('toDocs')}
            </a>
          )}
        </Empty>
      )}
      {daysOf(items, language).map(({ day, items: inside }) => (
        <section key={day} aria-label={day}>
          <p className="group">{day === today ? say('today') : day}</p>
          <ul>
            {inside.map((item) => (
              <DecisionRow
                key={item.eventId}
                center={center}
                item={item}
                isShown={item.eventId === shown}
                q={search.q}
              />
            ))}
          </ul>
        </section>
      ))}
      {more && <ListFoot more={more} />}
      {items.length > 0 && (
        <p className="decisions-pad">
          <Link to="/c/$center/decisions/print" params={{ center }} search={filters} className="link tap">
            {say('printList')}
          </Link>
        </p>
      )}
    </div>
  )
}
