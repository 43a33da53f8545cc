/** How the state of an appointment looks, wherever it is listed. */
import type { ListedBooking } from '@countersign/sdk'
import type { Tone } from './status-word.tsx'

export const bookingTones: Readonly<Record<ListedBooking['status'], Tone>> = {
  booked: 'plain',
  attended: 'verified',
  no_show: 'broken',
  canceled: 'plain',
}
