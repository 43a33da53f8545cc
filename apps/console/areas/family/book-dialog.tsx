/** A new appointment: for oneself, or for a child in a center where the guardian may book. */
import type { Slot } from '@countersign/sdk'
import { useId, useState } from 'react'
import { useChange } from '../../app/change.ts'
import { today } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { WaitForPlace } from '../../ui/wait-for-place.tsx'
import { book, type Client, type DoneWith } from './appointment.ts'
import { Clashes, useClashes } from './clashes.tsx'
import type { Appointment } from './overlap.ts'
import { useSlotWords } from './slot-words.ts'
import { useDoneText } from './use-done-text.ts'
import { useFamilyWords } from './words.ts'

interface Properties {
  readonly clients: readonly [Client, ...Client[]]
  /** Of a client who books for themselves. */
  readonly own?: readonly Appointment[] | undefined
  readonly onClose: () => void
}

export function BookDialog({ clients, own, onClose }: Properties) {
  const say = useFamilyWords()
  const words = useSlotWords()
  const doneText = useDoneText()
  const group = useId()
  const several = new Set(clients.map(({ centerDomain }) => centerDomain)).size > 1
  const [at, setAt] = useState(0)
  const [day, setDay] = useState(today())
  const [slot, setSlot] = useState<Slot | null>(null)
  const client = clients[at] ?? clients[0]
  const clashes = useClashes({ slot, ...client, own })
  const booking = useChange<Slot, DoneWith>(['bookings'], (chosen) => book(client, chosen), {
    told: doneText,
    undo: ({ undo }) => undo,
    onDone: onClose,
  })
  const disabled = !slot || booking.isPending || clashes.isAsking || clashes.refused.length > 0
  return (
    <Dialog
      title={say('book')}
      onClose={onClose}
      action={{ text: say('confirmBook'), disabled, run: () => slot && booking.mutate(slot) }}
    >
      {own === undefined && (
        <fieldset className="family-choices">
          <legend className="label">{say('forWhom')}</legend>
          {clients.map(({ childId, childName, centerDomain, centerName }, index) => (
            <label key={`${childId} ${centerDomain}`}>
              <input
                type="radio"
                name={group}
                checked={index === at}
                onChange={() => {
                  setAt(index)
                  setSlot(null)
                }}
              />
              {childName}
              {several && <small className="soft">{centerName}</small>}
            </label>
          ))}
        </fieldset>
      )}
      <SlotPicker
        center={client.centerDomain}
        day={day}
        onDay={setDay}
        chosen={slot}
        onChoose={setSlot}
        words={words}
      />
      <WaitForPlace center={client.centerDomain} day={day} clientId={client.childId} />
      <Clashes {...clashes} />
      <ErrorLine error={booking.error} />
    </Dialog>
  )
}
