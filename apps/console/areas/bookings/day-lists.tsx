/** The week on a phone: each day as a list, where buttons book and open what the columns do with a pointer. */
import type { ListedBooking } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { type Day, dayOf, dayText, today } from '../../ui/day.ts'
import { BookingStatus } from './booking-status.tsx'
import { type SlotsByDay, timesOf } from './free-slots.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly days: readonly Day[]
  readonly bookings: readonly ListedBooking[]
  readonly closures: ReadonlyMap<Day, string>
  readonly slots: SlotsByDay
  readonly onOpen: (id: string) => void
  readonly onBook: (day: Day) => void
}

export function DayLists({ days, bookings, closures, slots, onOpen, onBook }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  return (
    <div className="day-lists">
      {days.map((day) => {
        const own = bookings.filter(({ startsAt }) => dayOf(startsAt) === day)
        const free = timesOf(slots.get(day) ?? []).length
        const closure = closures.get(day)
        return (
          <section key={day} aria-label={dayText(day, language, 'full')}>
            <h2 aria-current={day === today() ? 'date' : undefined}>{dayText(day, language, 'short')}</h2>
            {closure && <p className="soft">{say('closedFor', { name: closure })}</p>}
            <ul>
              {own.map((booking) => (
                <li key={booking.id}>
                  <button type="button" className="day-row" onClick={() => onOpen(booking.id)}>
                    <b>{timeText(booking.startsAt, language, 'clock')}</b>
                    <span>
                      {booking.clientName ?? say('formerMember')}
                      <small>{booking.instructorName ?? say('formerMember')}</small>
                    </span>
                    <BookingStatus status={booking.status} />
                  </button>
                </li>
              ))}
            </ul>
            {free > 0 && (
              <button
                type="button"
                className="btn plain low"
                aria-label={say('bookOnDay', { day: dayText(day, language, 'short') })}
                onClick={() => onBook(day)}
              >
                {say('bookFree', { count: free })}
              </button>
            )}
          </section>
        )
      })}
    </div>
  )
}
