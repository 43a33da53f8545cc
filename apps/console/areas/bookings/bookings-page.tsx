/** The appointments of a center: a week, a day, or a list to note attendance in. */
import type { Slot } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { useOffers } from '../../app/offers.ts'
import { addDays, type Day, dayOf, dayText, mondayOf, today } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WaitingList } from '../../ui/waiting-list.tsx'
import { BookingDialog } from './booking-dialog.tsx'
import './bookings.css'
import { Columns } from './columns.tsx'
import { useBookings, useCenterHours, useUnnoted } from './data.ts'
import { DayLists } from './day-lists.tsx'
import { useClosures, useFreeSlots } from './free-slots.ts'
import { InstructorSelect } from './instructor-select.tsx'
import { ListView } from './list-view.tsx'
import { NewBooking } from './new-booking.tsx'
import type { BookingsSearch } from './search.ts'
import { useBookingsWords } from './words.ts'

const route = getRouteApi('/c/$center/bookings')

export function BookingsPage() {
  const say = useBookingsWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const { booking: mayBook } = useOffers(center)
  const [booking, setBooking] = useState<{ readonly day: Day; readonly slot?: Slot } | null>(null)
  const { view = 'week', date = today(), instructor, status, open } = search
  const go = (next: BookingsSearch) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const span = view === 'day' ? { first: date, days: 1 } : { first: mondayOf(date), days: 7 }
  const step = view === 'day' ? 1 : 7
  useShortcuts([
    { keys: '[', label: say('keyBefore'), run: () => go({ date: addDays(date, -step) }) },
    { keys: ']', label: say('keyAfter'), run: () => go({ date: addDays(date, step) }) },
    { keys: 't', label: say('keyToday'), run: () => go({ date: undefined }) },
    ...(mayBook ? [{ keys: 'n', label: say('keyBook'), run: () => setBooking({ day: date }) }] : []),
  ])
  const { data: hours } = useCenterHours(center)
  const { data: unnoted } = useUnnoted(center)
  const all = useBookings(center, span)
  const shown = all.data?.filter(
    (each) => (!instructor || each.instructorId === instructor) && (!status || each.status === status),
  )
  const closures = useClosures(center, span.first, span.days)
  const sunday = addDays(span.first, 6)
  const opening = hours?.settings.booking.openingHours
  const days = Array.from({ length: span.days }, (_, at) => addDays(span.first, at)).filter(
    (day) => span.days < 7 || day !== sunday || opening?.sun?.length || shown?.some(({ startsAt }) => startsAt >= day),
  )
  const slots = useFreeSlots(
    center,
    view === 'list' || !mayBook ? [] : days.filter((day) => !closures.has(day)),
    instructor,
  )
  // The list may hold it where the week does not.
  const chosen = useQuery({
    queryKey: ['bookings', center, 'chosen', search.booking],
    enabled:
      search.booking !== undefined && all.data !== undefined && !all.data.some(({ id }) => id === search.booking),
    queryFn: async ({ signal }) => {
      for await (const each of api.bookings.list(center, { limit: 100 }, { signal })) {
        if (each.id === search.booking) return each
      }
      return null
    },
  })
  const slip = all.data?.find(({ id }) => id === search.booking) ?? chosen.data
  const monday = span.first
  const title =
    view === 'week'
      ? say('weekTitle', {
          year: monday.slice(0, 4),
          month: dayText(monday, language, 'month'),
          nth: say(`nth${Math.ceil(Number(monday.slice(8)) / 7) as 1}`),
        })
      : view === 'day'
        ? dayText(date, language, 'full')
        : open
          ? say('unnoted', { count: unnoted ?? 0 })
          : say('listTitle', { day: dayText(date, language, 'short') })
  return (
    <Page
      wide
      title={title}
      lede={
        <>
          {view !== 'list' &&
            shown &&
            say('total', { count: shown.filter((each) => each.status !== 'canceled').length })}
          {unnoted !== undefined && unnoted > 0 && !open && (
            <>
              {view !== 'list' && ' · '}
              <button type="button" className="bookings-open waiting" onClick={() => go({ view: 'list', open: true })}>
                <span aria-hidden="true">◷ </span>
                {say('unnoted', { count: unnoted })}
              </button>
            </>
          )}
        </>
      }
      actions={
        <>
          {(['week', 'day', 'list'] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="btn plain low views-one"
              aria-pressed={view === each}
              onClick={() => go({ view: each, open: undefined })}
            >
              {say(`view${each}`)}
            </button>
          ))}
          <Link to="/c/$center/attendance-today" params={{ center }} className="btn plain low">
            {say('roll')}
          </Link>
          <Link to="/c/$center/bookings/hours" params={{ center }} className="btn plain low">
            {say('hours')}
          </Link>
          <Link to="/c/$center/bookings/attendance" params={{ center }} className="btn plain low">
            {say('attendance')}
          </Link>
          {mayBook && (
            <button type="button" className="btn first low" onClick={() => setBooking({ day: date })}>
              {say('book')}
            </button>
          )}
        </>
      }
    >
      <div className="bookings-head">
        <div className="views">
          <button type="button" className="btn plain low" onClick={() => go({ date: addDays(date, -step) })}>
            {say('before')}
          </button>
          <button type="button" className="btn plain low" onClick={() => go({ date: undefined })}>
            {say('todayButton')}
          </button>
          <button type="button" className="btn plain low" onClick={() => go({ date: addDays(date, step) })}>
            {say('after')}
          </button>
        </div>
        <InstructorSelect center={center} chosen={instructor} onChoose={(id) => go({ instructor: id })} />
        <select
          className="field"
          aria-label={say('status')}
          value={status ?? ''}
          onChange={({ target }) =>
            go({ status: (target.value || undefined) as BookingsSearch['status'], open: undefined })
          }
        >
          <option value="">{say('anyStatus')}</option>
          {(['booked', 'attended', 'no_show', 'canceled'] as const).map((each) => (
            <option key={each} value={each}>
              {say(`status${each}`)}
            </option>
          ))}
        </select>
      </div>
      {view === 'list' ? (
        <ListView center={center} search={{ ...search, date }} onOpen={(id) => go({ booking: id })} />
      ) : (
        <>
          {all.error && <ErrorPanel error={all.error} onRetry={() => void all.refetch()} />}
          {!shown && !all.error && <Skeleton rows={10} />}
          {shown && narrow && (
            <DayLists
              {...{ days, closures, slots }}
              bookings={shown}
              onOpen={(id) => go({ booking: id })}
              onBook={(day) => setBooking({ day })}
            />
          )}
          {shown && !narrow && (
            <Columns
              {...{ center, closures, slots }}
              days={days}
              bookings={shown}
              hours={opening ?? {}}
              onOpen={(id) => go({ booking: id })}
              onDay={(day) => go({ view: 'day', date: day })}
              onBook={(slot) => setBooking({ day: dayOf(slot.startsAt), slot })}
            />
          )}
        </>
      )}
      {view !== 'list' && (
        <WaitingList center={center} from={span.first} to={addDays(span.first, span.days - 1)} withClients />
      )}
      <p className="small">
        <a href="/me#calendar" className="tap">
          {say('calendar')}
        </a>
      </p>
      {slip && <BookingDialog center={center} booking={slip} onClose={() => go({ booking: undefined })} />}
      {booking && <NewBooking center={center} {...booking} onClose={() => setBooking(null)} />}
    </Page>
  )
}
