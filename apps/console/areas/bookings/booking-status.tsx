import type { ListedBooking } from '@countersign/sdk'
import { bookingTones } from '../../ui/booking-tones.ts'
import { StatusWord } from '../../ui/status-word.tsx'
import { useBookingsWords } from './words.ts'

export function BookingStatus({ status }: Pick<ListedBooking, 'status'>) {
  const say = useBookingsWords()
  return <StatusWord tone={bookingTones[status]}>{say(`status${status}`)}</StatusWord>
}
