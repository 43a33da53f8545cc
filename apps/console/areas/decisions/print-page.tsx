/** The found decisions as a list for paper: the filters in words, how many there are, and each with who approved it. */
import type { FoundDecision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { centerQuery } from '../../app/queries.ts'
import { useRoles } from '../../app/role.ts'
import { staffQuery } from '../../app/staff.ts'
import { actorName, visible } from '../../decision/read.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { PaperLogo } from '../../ui/paper-logo.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { policyNamesQuery } from './data.ts'
import { useListPages } from './list-pages.ts'
import { type Filters, filtersOf } from './search.ts'
import { useDecisionsWords } from './words.ts'
import './paper.css'

const route = getRouteApi('/c/$center/decisions/print')

export function DecisionsPrintPage() {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const filters = filtersOf(route.useSearch())
  const { data: own } = useQuery(centerQuery(center))
  const { items, isComplete, isPending, error, again } = useListPages(center, filters)
  const chosen = useFilterWords(center, filters)
  const count = numberText(items.length, language)
  return (
    <Page
      title={say('listTitle')}
      lede={
        <>
          {visible(own?.name ?? '')} · {chosen} · {say('listCount', { count })}
        </>
      }
      actions={
        <>
          <Link to="/c/$center/decisions" params={{ center }} search={filters} className="btn plain low">
            {say('listBack')}
          </Link>
          <button type="button" className="btn low" disabled={isPending} onClick={() => window.print()}>
            {say('print')}
          </button>
        </>
      }
    >
      <PaperLogo center={center} />
      {error ? <ErrorPanel error={error} onRetry={again} /> : null}
      {isPending && (
        <>
          <p role="status">{say('listReading', { count })}</p>
          <Skeleton rows={8} />
        </>
      )}
      {!isPending && !error && items.length === 0 && <Empty title={say('emptyTitle')} />}
      {!isPending && !isComplete && <p role="status">{say('listMore', { count })}</p>}
      {!isPending && items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="table-scroll" aria-label={say('listTitle')} tabIndex={0}>
          <table className="paper-list" data-count={items.length}>
            <thead>
              <tr>
                {(['listWhen', 'listWhat', 'listWho', 'listApproved', 'listState'] as const).map((word) => (
                  <th key={word} scope="col">
                    {say(word)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Row key={item.eventId} item={item} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className="small soft">{say('paperAt', { time: timeText(Date.now(), language, 'long') })}</p>
    </Page>
  )
}

function Row({ item }: { readonly item: FoundDecision }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const state = item.waiting && item.status === 'recorded' ? 'waiting' : item.status
  const given = item.approvals.filter(({ result }) => result === 'approved')
  return (
    <tr>
      <td>{timeText(item.createdAt, language, 'short')}</td>
      <td>{visible(item.headline[language])}</td>
      <td>{actorName(item)}</td>
      <td>
        {given
          .map(({ name, level }) => [visible(name ?? ''), say(`by ${level}`)].filter(Boolean).join(' · '))
          .join(', ')}
      </td>
      <td>{say(state)}</td>
    </tr>
  )
}

/** The filters of the address as a person would say them. */
function useFilterWords(center: string, filters: Filters): string {
  const say = useDecisionsWords()
  const isAdmin = useRoles(center).includes('ADMIN')
  const staff = useQuery({ ...staffQuery(center, isAdmin), enabled: filters.personId !== undefined }).data ?? []
  const policies = useQuery({ ...policyNamesQuery(center), enabled: filters.policyId !== undefined }).data
  const person = staff.find(({ actorId }) => actorId === filters.personId)?.name ?? filters.personId
  const policy = policies?.get(filters.policyId ?? '') ?? filters.policyId
  const parts = [
    filters.q && `“${visible(filters.q)}”`,
    filters.waiting ? say('waiting') : filters.status && say(filters.status),
    filters.type && say(`type${filters.type}`),
    person && `${say('person')}: ${visible(person)}`,
    policy && `${say('policy')}: ${visible(policy)}`,
    ...(['tag', 'actorId', 'minAmount', 'maxAmount', 'from', 'to'] as const).map((name) => {
      const value = filters[name]
      return value === undefined ? undefined : `${say(name)}: ${visible(String(value))}`
    }),
  ].filter((each) => each !== undefined && each !== '')
  return parts.length === 0 ? say('listAll') : parts.join(' · ')
}
