/** Another time for an appointment, also with another instructor. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { dayOf, notPast } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { Time } from '../../ui/time.tsx'
import { BlockedDates } from './blocked-dates.tsx'
import { useBookingMessages } from './messages.ts'
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
  const messages = useBookingMessages(center)
  const move = useChange<Slot>(
    ['bookings'],
    ({ startsAt, instructorId }) =>
      api.bookings.move(center, booking.id, { ...{ startsAt, instructorId }, ...(scope !== 'one' && { scope }) }),
    {
      told: (_, to) => messages.moved(booking, to),
      undo: () => (scope === 'one' ? messages.back(booking) : undefined),
      onDone: onClose,
    },
  )
  return (
    <Dialog
      title={say('moveTitle')}
      onClose={onClose}
      closing={say('keep')}
      action={{ text: say('moveTo'), disabled: slot === null || move.isPending, run: () => slot && move.mutate(slot) }}
    >
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
