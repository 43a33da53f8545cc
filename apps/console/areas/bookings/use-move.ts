/** An appointment is shown at its new time at once; a refusal puts it back and says why. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { tell } from '../../app/done.ts'
import { queries } from '../../app/queries.ts'
import { useBookingMessages } from './messages.ts'

export interface Moved {
  readonly booking: ListedBooking
  readonly to: Slot
}

export function useMove(center: string) {
  const messages = useBookingMessages(center)
  const move = useMutation({
    mutationFn: ({ booking, to: { startsAt, instructorId } }: Moved) =>
      api.bookings.move(center, booking.id, { startsAt, instructorId }),
    onMutate: async ({ booking, to }) => {
      const queryKey = ['bookings', center, 'span']
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueriesData<ListedBooking[]>({ queryKey })
      const { startsAt, endsAt, instructorId, instructorName } = to
      const placed = { startsAt, endsAt, instructorId, instructorName }
      queries.setQueriesData<ListedBooking[]>({ queryKey }, (all) =>
        all?.map((each) => (each.id === booking.id ? { ...each, ...placed } : each)),
      )
      return { before }
    },
    onError: (_error, _moved, context) => {
      for (const [key, data] of context?.before ?? []) queries.setQueryData(key, data)
    },
    onSuccess: (_data, { booking, to }) =>
      tell({ text: messages.moved(booking, to), names: ['bookings'], undo: messages.back(booking) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bookings'] }),
  })
  return { move, forget: () => move.reset() }
}
