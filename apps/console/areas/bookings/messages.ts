/** What is said after a change of one appointment, and how it is taken back. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { useDoneWords } from '../../ui/done-words.ts'
import { useBookingsWords } from './words.ts'

type Change = 'attended' | 'no_show' | 'cancel'

export function useBookingMessages(center: string) {
  const say = useBookingsWords()
  const done = useDoneWords()
  const language = useLanguage()
  const nameOf = ({ clientName }: ListedBooking) => clientName ?? say('formerMember')
  const isAhead = ({ startsAt }: ListedBooking) => Date.parse(startsAt) > Date.now()
  /** Somebody else may have taken the time since. */
  const rebook = ({ instructorId, startsAt, bookedFor }: ListedBooking) =>
    api.bookings.create(center, { instructorId, startsAt, bookedFor })
  const move = ({ id, startsAt, instructorId }: ListedBooking) =>
    api.bookings.move(center, id, { startsAt, instructorId })
  return {
    told(booking: ListedBooking, what: Change) {
      const values = { name: nameOf(booking), time: timeText(booking.startsAt, language, 'short') }
      if (what === 'cancel') return done('canceled', values)
      return done('marked', { ...values, mark: say(`status${what}`) })
    },
    /** A mark can be changed to the other, and not removed. */
    undo(booking: ListedBooking, what: Change, several = false): (() => Promise<unknown>) | undefined {
      if (what === 'cancel') return isAhead(booking) && !several ? () => rebook(booking) : undefined
      if (booking.status === 'attended') return () => api.bookings.markAttended(center, booking.id)
      return booking.status === 'no_show' ? () => api.bookings.markNoShow(center, booking.id) : undefined
    },
    moved: (booking: ListedBooking, to: Pick<Slot, 'startsAt'>) =>
      say('moveDone', { client: nameOf(booking), time: timeText(to.startsAt, language, 'short') }),
    back: (booking: ListedBooking) => (isAhead(booking) ? () => move(booking) : undefined),
  }
}
