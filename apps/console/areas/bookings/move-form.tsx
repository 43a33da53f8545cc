/** Another time for an appointment, also with another instructor. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'
import { dayOf, notPast } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { Time } from '../../ui/time.tsx'
import { BlockedDates } from './blocked-dates.tsx'
import { type Scope, ScopeChoice } from './scope-choice.tsx'
import { useSlotWords } from './slot-words.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly booking: ListedBooking
  readonly onClose: () => void
}

export function MoveForm({ center, booking, onClose }: Properties) {
  const say = useBookingsWords()
  const words = useSlotWords()
  const then = dayOf(booking.startsAt)
  const [day, setDay] = useState(notPast(then))
  const [slot, setSlot] = useState<Slot | null>(null)
  const [scope, setScope] = useState<Scope>('one')
  const move = useMutation({
    mutationFn: async ({ startsAt, instructorId }: Slot) => {
      await api.bookings.move(center, booking.id, {
        ...{ startsAt, instructorId },
        ...(scope !== 'one' && { scope }),
      })
      await queries.invalidateQueries({ queryKey: ['bookings'] })
    },
    onSuccess: onClose,
  })
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={onClose}>
        {say('keep')}
      </button>
      <button
        type="button"
        className="btn first"
        disabled={slot === null || move.isPending}
        onClick={() => slot && move.mutate(slot)}
      >
        {say('moveTo')}
      </button>
    </>
  )
  return (
    <Dialog title={say('moveTitle')} onClose={onClose} actions={actions}>
      <p>
        {booking.clientName ?? say('formerMember')} · <Time at={booking.startsAt} form="long" />
      </p>
      <SlotPicker center={center} day={day} onDay={setDay} chosen={slot} onChoose={setSlot} words={words} />
      {booking.seriesId && <ScopeChoice scope={scope} onChoose={setScope} />}
      <BlockedDates error={move.error} />
      <ErrorLine error={move.error} />
    </Dialog>
  )
}
