/** The list with the filters of the API, which stand in the address. */
import type { DecisionCounts, DecisionEventSummary } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useId } from 'react'
import { type Language, useLanguage } from '../../app/i18n.ts'
import { actorName } from '../../decision/read.ts'
import { AskButton } from '../../ui/ask.tsx'
import { numberText, timeText } from '../../ui/clock.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { countsOf, pageSize } from './data.ts'
import { FilterForm } from './filters.tsx'
import { type DecisionsSearch, filtersOf } from './search.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly search: DecisionsSearch
  readonly items: readonly DecisionEventSummary[]
  readonly total: number | undefined
  readonly counts: DecisionCounts | undefined
  readonly shown: string | undefined
  readonly find: RefObject<HTMLInputElement | null>
  readonly error: unknown
  readonly isPending: boolean
  onRetry(): void
  onSearch(search: DecisionsSearch): void
}

const tones = { recorded: 'plain', approved: 'waiting', sealed: 'verified', rejected: 'broken' } as const

function Row({ item, shown }: { readonly item: DecisionEventSummary; readonly shown: string | undefined }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  return (
    <li>
      <Link
        className="item"
        to="."
        search={(before: object) => ({ ...before, id: item.id })}
        aria-current={item.id === shown ? 'true' : undefined}
        activeProps={{}}
      >
        <b>{item.action.type}</b>
        <span className="when">
          <StatusWord tone={tones[item.status]}>{say(item.status)}</StatusWord>
        </span>
        <span className="sub">
          {actorName(item)} · {timeText(item.createdAt, language, 'clock')}
        </span>
      </Link>
    </li>
  )
}

/** In the order of the list, the newest day first. */
function daysOf(items: readonly DecisionEventSummary[], language: Language) {
  const days: { day: string; items: DecisionEventSummary[] }[] = []
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
  const { center, search, items, total, shown, find, error, isPending, onRetry, onSearch } = properties
  const say = useDecisionsWords()
  const language = useLanguage()
  const id = useId()
  const filters = filtersOf(search)
  const counts = properties.counts && countsOf(properties.counts)
  const { status: _status, waiting: _waiting, ...others } = filters
  const Heading = shown ? 'h2' : 'h1'
  const page = search.page ?? 1
  const pages = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const today = timeText(Date.now(), language, 'day')
  const current = filters.waiting ? 'waiting' : (filters.status ?? 'all')
  const findNumber = (event: FormEvent) => {
    event.preventDefault()
    const text = find.current?.value.trim() ?? ''
    if (text.startsWith('evt_')) onSearch({ ...search, id: text })
    else onSearch({ ...others, decisionId: text || undefined })
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
      <form className="decisions-find" onSubmit={findNumber} key={search.decisionId}>
        <label className="unseen" htmlFor={id}>
          {say('find')}
        </label>
        <input
          id={id}
          ref={find}
          className="field"
          placeholder={say('findHint')}
          defaultValue={search.decisionId}
          maxLength={255}
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
      <FilterForm filters={filters} onSearch={onSearch} />
      {error ? <ErrorPanel error={error} onRetry={onRetry} /> : null}
      {isPending && (
        <div className="decisions-pad">
          <Skeleton rows={8} />
        </div>
      )}
      {total === 0 && (
        <Empty title={say(Object.keys(filters).length > 0 ? 'emptyTitle' : 'noneTitle')}>
          <p className="soft">{say(Object.keys(filters).length > 0 ? 'emptyText' : 'noneText')}</p>
          {Object.keys(filters).length === 0 && (
            <a className="link" href="/docs">
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
              <Row key={item.id} item={item} shown={shown} />
            ))}
          </ul>
        </section>
      ))}
      {pages > 1 && (
        <div className="decisions-pages small">
          <button
            type="button"
            className="btn plain low"
            disabled={page <= 1}
            onClick={() => onSearch({ ...filters, page: page - 1 })}
          >
            {say('before')}
          </button>
          <span className="soft">
            {say('page', { page: numberText(page, language), pages: numberText(pages, language) })}
          </span>
          <button
            type="button"
            className="btn plain low"
            disabled={page >= pages}
            onClick={() => onSearch({ ...filters, page: page + 1 })}
          >
            {say('after')}
          </button>
        </div>
      )}
    </div>
  )
}
