/** The appointments of today, those that are over above a line at the present time. */
import type { ListedBooking } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { bookingTones } from '../../ui/booking-tones.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { addDays, dayText, startOf, today } from '../../ui/day.ts'
import { useEntries } from '../../ui/entries.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { useUiWords } from '../../ui/words.ts'
import { useTodayWords } from './words.ts'

/** More than this many are on the page of the bookings. */
const most = 100

interface Properties {
  readonly center: string
  readonly isAdmin: boolean
}

export function Appointments({ center, isAdmin }: Properties) {
  const say = useTodayWords()
  const ui = useUiWords()
  const hasRoll = useEntries('center', center).some(({ path }) => path === '/attendance-today')
  const language = useLanguage()
  const { data: me } = useMe()
  const day = today()
  const instructorId = isAdmin ? undefined : me?.actorId
  const { data, error, refetch } = useQuery({
    queryKey: ['bookings', center, 'today', day, instructorId],
    enabled: me !== undefined,
    queryFn: ({ signal }) =>
      api.bookings.list(
        center,
        { from: startOf(day), to: startOf(addDays(day, 1)), limit: most, ...(instructorId && { instructorId }) },
        { signal },
      ),
  })
  // The API lists the newest first.
  const listed = data?.data.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
  const isOver = ({ endsAt, status }: ListedBooking) => status !== 'booked' || Date.parse(endsAt) <= Date.now()
  const over = listed?.filter(isOver) ?? []
  const ahead = listed?.filter((booking) => !isOver(booking)) ?? []
  const row = (booking: ListedBooking) => (
    <li key={booking.id}>
      <Link
        to="/c/$center/bookings"
        params={{ center }}
        search={{ view: 'day' }}
        className={isOver(booking) ? 'today-row over' : 'today-row'}
      >
        <span className="when">{timeText(booking.startsAt, language, 'clock')}</span>
        <b>{booking.clientName ?? say('formerMember')}</b>
        {booking.status === 'booked' && isOver(booking) ? (
          <StatusWord tone="waiting">{say('unrecorded')}</StatusWord>
        ) : (
          <StatusWord tone={bookingTones[booking.status]}>{say(`status${booking.status}`)}</StatusWord>
        )}
        <span className="sub">{booking.instructorName ?? say('formerMember')}</span>
      </Link>
    </li>
  )
  return (
    <>
      <div className="tray-head">
        <div>
          <p className="small soft">{dayText(day, language, 'short')}</p>
          <h1>
            {say('appointments')}{' '}
            {data && (
              <span className="soft">{say('count', { count: numberText(data.pagination.total, language) })}</span>
            )}
          </h1>
        </div>
        <div className="today-actions">
          {hasRoll && (
            <Link to="/c/$center/attendance-today" params={{ center }} className="btn low">
              {ui('navRoll')}
            </Link>
          )}
          <Link to="/c/$center/bookings" params={{ center }} className="btn low">
            {say('book')}
          </Link>
        </div>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {listed?.length === 0 && <p className="today-none soft">{say('noAppointments')}</p>}
      {listed && listed.length > 0 && (
        <>
          <ul>{over.map(row)}</ul>
          <p className="today-now">
            <span>{say('now', { time: timeText(new Date().toISOString(), language, 'clock') })}</span>
          </p>
          <ul>{ahead.map(row)}</ul>
        </>
      )}
    </>
  )
}
