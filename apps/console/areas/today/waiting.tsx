/** The decisions that wait for the person, those that end first, as the inbox names them. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTodayWords } from './words.ts'

const shownHere = 3

/** With the view of a decision, which the rest of the page doesn't wait for. */
const Glance = lazy(async () => ({ default: (await import('../../ui/decision/glance.tsx')).Glance }))

export function Waiting({ center }: { readonly center: string }) {
  const say = useTodayWords()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['inbox', center, 'today'],
    queryFn: ({ signal }) => api.console.listInbox({ view: 'turn', sort: 'expiry', limit: shownHere }, { signal }),
  })
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={4} />
  const count = data.counts?.turn ?? data.pagination.total
  if (count === 0)
    return (
      <header className="today-head">
        <h2>{say('nothingWaits')}</h2>
        <p className="soft">{say('nothingWaitsText')}</p>
      </header>
    )
  return (
    <section>
      <header className="today-head">
        <h2>{say('waiting', { count: numberText(count, language) })}</h2>
      </header>
      <ul className="today-waiting">
        {data.data.map(({ eventId, headline, expiresAt }) => (
          <li key={eventId}>
            <b>{headline[language]}</b>
            <Link
              to="/c/$center/inbox"
              params={{ center }}
              search={{ id: eventId }}
              className="btn plain"
              aria-label={say('openOf', { headline: headline[language] })}
            >
              {say('open')}
            </Link>
            <p className="small soft today-glance">
              {expiresAt === null ? (
                <span>{say('noEnd')}</span>
              ) : (
                <span className="waiting">
                  <span aria-hidden="true">◷ </span>
                  {say('until', { time: timeText(expiresAt, language, 'short') })}
                </span>
              )}
              <Suspense>
                <Glance eventId={eventId} />
              </Suspense>
            </p>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/c/$center/inbox" params={{ center }} className="link tap">
          {say('allWaiting')}
        </Link>
      </p>
    </section>
  )
}
