/** An appointment is shown at its new time at once; a refusal puts it back and says why. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'

export interface Moved {
  readonly booking: ListedBooking
  readonly to: Slot
}

export function useMove(center: string) {
  const [moved, setMoved] = useState<Moved | null>(null)
  const move = useMutation({
    mutationFn: ({ booking, to: { startsAt, instructorId } }: Moved) =>
      api.bookings.move(center, booking.id, { startsAt, instructorId }),
    onMutate: async ({ booking, to }) => {
      setMoved(null)
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
    onSuccess: (_data, done) => setMoved(done),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bookings'] }),
  })
  const forget = () => {
    setMoved(null)
    move.reset()
  }
  return { move, moved, forget }
}
