import type { ListedBooking } from '@countersign/sdk'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { useBookingsWords } from './words.ts'

const tones: Readonly<Record<ListedBooking['status'], Tone>> = {
  booked: 'plain',
  attended: 'verified',
  no_show: 'broken',
  canceled: 'plain',
}

export function BookingStatus({ status }: Pick<ListedBooking, 'status'>) {
  const say = useBookingsWords()
  return <StatusWord tone={tones[status]}>{say(`status${status}`)}</StatusWord>
}
