/** Who waits for a place, or has one kept: with the way to take it and the way off the list. Nothing where nobody waits. */
import type { BookingWait } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../app/api.ts'
import { useChange } from '../app/change.ts'
import { useLanguage } from '../app/i18n.ts'
import { timeText } from './clock.ts'
import { type Day, dayText } from './day.ts'
import { ErrorLine, ErrorPanel } from './error-panel.tsx'
import { useUiWords } from './words.ts'
import './waiting-list.css'
import { useDoneWords } from './done-words.ts'

interface Properties {
  readonly center: string
  readonly clientId?: string | undefined
  readonly from?: Day
  readonly to?: Day
  /** Whose list it is, where a page has several. */
  readonly of?: string
  /** Only the places that are kept for somebody now, or only the others. */
  readonly part?: 'offers' | 'others'
  /** Names the client of each entry: a page of staff. */
  readonly withClients?: boolean
}

const maxShown = 100

export function WaitingList({ center, clientId, from, to, of, part, withClients = false }: Properties) {
  const say = useUiWords()
  const query = { ...(clientId && { clientId }), ...(from && { from }), ...(to && { to }), limit: maxShown }
  const { data, error, refetch } = useQuery({
    queryKey: ['bookings', center, 'waits', query],
    queryFn: async ({ signal }) => (await api.bookingWaits.list(center, query, { signal })).data,
  })
  if (error && part === 'offers') return null
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  const shown = data?.filter(({ offer }) => part === undefined || (offer !== null) === (part === 'offers')) ?? []
  if (shown.length === 0) return null
  const title =
    part === 'offers'
      ? of
        ? say('waitOffersOf', { name: of })
        : say('waitOffers')
      : of
        ? say('waitListOf', { name: of })
        : say('waitList')
  return (
    <section className="waits" aria-label={title}>
      <h2 className="label">{title}</h2>
      <ul>
        {shown.map((wait) => (
          <Entry key={wait.id} center={center} wait={wait} withClient={withClients} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ center, wait, withClient }: { center: string; wait: BookingWait; withClient: boolean }) {
  const say = useUiWords()
  const done = useDoneWords()
  const language = useLanguage()
  const { id, clientId, clientName, instructorId, instructorName, date, offer } = wait
  const day = dayText(date, language, 'short')
  const whom = [withClient ? clientName : null, instructorName].filter(Boolean).join(' · ')
  const leave = useChange(['bookings'], () => api.bookingWaits.delete(center, id), {
    told: () => done('waitLeft', { day }),
  })
  const book = useChange<string, { readonly id: string }>(
    ['bookings'],
    (startsAt) => api.bookings.create(center, { instructorId, startsAt, bookedFor: clientId }),
    {
      told: (_, startsAt) => done('booked', { name: whom || day, time: timeText(startsAt, language, 'short') }),
      undo: (made) => () => api.bookings.cancel(center, made.id),
    },
  )
  return (
    <li>
      <div>
        <b>{day}</b> <span>{whom}</span>
        {offer ? (
          <small className="waiting">
            <span aria-hidden="true">◷ </span>
            {say('waitOffer', {
              time: timeText(offer.startsAt, language, 'clock'),
              until: timeText(offer.until, language),
            })}
          </small>
        ) : (
          <small className="soft">{say('waitSince', { time: timeText(wait.createdAt, language) })}</small>
        )}
        <ErrorLine error={book.error ?? leave.error} />
      </div>
      <div className="waits-do">
        {offer && (
          <button
            type="button"
            className="btn low"
            disabled={book.isPending}
            aria-label={say('waitBookOf', { day, whom })}
            onClick={() => book.mutate(offer.startsAt)}
          >
            {say('waitBook')}
          </button>
        )}
        <button
          type="button"
          className="btn plain low"
          disabled={leave.isPending}
          aria-label={say('waitLeaveOf', { day, whom })}
          onClick={() => leave.mutate()}
        >
          {say('waitLeave')}
        </button>
      </div>
    </li>
  )
}
