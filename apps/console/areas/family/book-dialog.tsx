/** A new appointment for a child, in a center where the guardian may book. */
import type { FamilyChild, Slot } from '@countersign/sdk'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { today } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { useSlotWords } from './slot-words.ts'
import { useFamilyWords } from './words.ts'

interface Properties {
  readonly family: readonly FamilyChild[]
  readonly onClose: () => void
}

export function BookDialog({ family, onClose }: Properties) {
  const say = useFamilyWords()
  const words = useSlotWords()
  const group = useId()
  const choices = family.flatMap(({ actorId, name, centers }) =>
    centers
      .filter(({ canBook }) => canBook)
      .map(({ centerDomain, centerName }) => ({ actorId, name, centerDomain, centerName })),
  )
  const several = new Set(choices.map(({ centerDomain }) => centerDomain)).size > 1
  const [at, setAt] = useState(0)
  const [day, setDay] = useState(today())
  const [slot, setSlot] = useState<Slot | null>(null)
  const choice = choices[at]
  const book = useChange(
    ['bookings'],
    async () => {
      if (!choice || !slot) return
      const { instructorId, startsAt } = slot
      await api.bookings.create(choice.centerDomain, { instructorId, startsAt, bookedFor: choice.actorId })
    },
    onClose,
  )
  return (
    <Dialog
      title={say('book')}
      onClose={onClose}
      action={{ text: say('confirmBook'), disabled: !choice || !slot || book.isPending, run: () => book.mutate() }}
    >
      <fieldset className="family-choices">
        <legend className="label">{say('forWhom')}</legend>
        {choices.map(({ actorId, name, centerDomain, centerName }, index) => (
          <label key={`${actorId} ${centerDomain}`}>
            <input
              type="radio"
              name={group}
              checked={index === at}
              onChange={() => {
                setAt(index)
                setSlot(null)
              }}
            />
            {name}
            {several && <small className="soft">{centerName}</small>}
          </label>
        ))}
      </fieldset>
      {choice && (
        <SlotPicker
          center={choice.centerDomain}
          day={day}
          onDay={setDay}
          chosen={slot}
          onChoose={setSlot}
          words={words}
        />
      )}
      <ErrorLine error={book.error} />
    </Dialog>
  )
}
