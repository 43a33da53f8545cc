/** Who came today, by one tap each, made for a phone in one hand. */
import type { ListedBooking } from '@countersign/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useOffers } from '../../app/offers.ts'
import { useRoles } from '../../app/role.ts'
import { useSession } from '../../app/use-store.ts'
import { addDays, dayText, today } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import './bookings.css'
import { useBookings } from './data.ts'
import { InstructorSelect } from './instructor-select.tsx'
import { RollHour } from './roll-hour.tsx'
import { everyone, type RollSearch } from './search.ts'
import { useMarks } from './use-marks.ts'
import { useBookingsWords } from './words.ts'

const route = getRouteApi('/c/$center/attendance-today')
const minuteMs = 60_000

export function RollPage() {
  const say = useBookingsWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const roles = useRoles(center)
  const { session } = useSession()
  const { taps, mark } = useMarks(center)
  const { attendance: mayMark } = useOffers(center)
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((minutes) => minutes + 1), minuteMs)
    return () => clearInterval(timer)
  }, [])
  const { date = today() } = search
  const own = roles.includes('ADMIN') ? everyone : (session?.actor.id ?? everyone)
  const chosen = search.instructor ?? own
  const instructor = chosen === everyone ? undefined : chosen
  const go = (next: RollSearch) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const { data, error, refetch } = useBookings(center, { first: date, days: 1 })
  // One that is canceled while the page is open stays, with the reason why it can't be marked.
  const shown = data?.filter(
    ({ id, status, instructorId }) =>
      (status !== 'canceled' || taps.has(id)) && (!instructor || instructorId === instructor),
  )
  const hours = Map.groupBy<string, ListedBooking>(shown ?? [], ({ startsAt }) => startsAt)
  const open = shown?.filter(({ status }) => status === 'booked').length ?? 0
  return (
    <Page
      title={say('rollTitle', { day: dayText(date, language, 'short') })}
      lede={shown && shown.length > 0 && say('rollCount', { recorded: shown.length - open, all: shown.length })}
      actions={
        <Link to="/c/$center/bookings" params={{ center }} className="btn plain low">
          {say('title')}
        </Link>
      }
    >
      <div className="bookings-head">
        <div className="views">
          <button type="button" className="btn plain low" onClick={() => go({ date: addDays(date, -1) })}>
            {say('before')}
          </button>
          <button type="button" className="btn plain low" onClick={() => go({ date: undefined })}>
            {say('todayButton')}
          </button>
          <button type="button" className="btn plain low" onClick={() => go({ date: addDays(date, 1) })}>
            {say('after')}
          </button>
        </div>
        <InstructorSelect
          center={center}
          chosen={instructor}
          onChoose={(id) => go({ instructor: (id ?? everyone) === own ? undefined : (id ?? everyone) })}
        />
      </div>
      {/* Above a list, it would move the buttons under the thumb; a tap says itself that it wasn't saved. */}
      {error && !shown && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!shown && !error && <Skeleton rows={8} />}
      {shown?.length === 0 && (
        <Empty title={say('rollEmpty')}>
          <p>{say('rollEmptyText')}</p>
        </Empty>
      )}
      <div className="roll">
        {[...hours].map(([startsAt, bookings]) => (
          <RollHour key={startsAt} {...{ startsAt, bookings, taps, mayMark }} onMark={mark} />
        ))}
      </div>
    </Page>
  )
}
