/** One appointment: move it, or cancel it. */
import type { Slot } from '@countersign/sdk'
import { useState } from 'react'
import { useChange } from '../../app/change.ts'
import { dayOf, notPast } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { Time } from '../../ui/time.tsx'
import { cancel, type DoneWith, isOpen, move } from './appointment.ts'
import { Clashes, useClashes } from './clashes.tsx'
import type { Appointment } from './overlap.ts'
import { useSlotWords } from './slot-words.ts'
import { useDoneText } from './use-done-text.ts'
import { useFamilyWords } from './words.ts'

interface Properties {
  readonly appointment: Appointment
  /** Of a client, who needs no name above their own appointment. */
  readonly own?: readonly Appointment[] | undefined
  readonly mayMove: boolean
  readonly doing?: 'move' | 'cancel' | undefined
  readonly onClose: () => void
}

export function AppointmentDialog({ appointment, own, mayMove, doing: first, onClose }: Properties) {
  const say = useFamilyWords()
  const words = useSlotWords()
  const doneText = useDoneText()
  const { centerDomain, childName, instructorName, startsAt, status, reason: why } = appointment
  const [doing, setDoing] = useState<'look' | 'move' | 'cancel'>(first ?? 'look')
  const [day, setDay] = useState(notPast(dayOf(startsAt)))
  const [slot, setSlot] = useState<Slot | null>(null)
  const [reason, setReason] = useState('')
  const clashes = useClashes({ slot, ...appointment, moved: appointment.id, own })
  const after = { told: doneText, undo: ({ undo }: DoneWith) => undo, onDone: onClose }
  const moving = useChange<Slot, DoneWith>(['bookings'], (to) => move(appointment, to), after)
  const canceling = useChange(['bookings'], () => cancel(appointment, reason.trim()), after)
  const action = {
    look: undefined,
    move: {
      text: say('moveTo'),
      disabled: !slot || moving.isPending || clashes.isAsking || clashes.refused.length > 0,
      run: () => slot && moving.mutate(slot),
    },
    cancel: { text: say('confirmCancel'), disabled: canceling.isPending, run: () => canceling.mutate() },
  }[doing]
  return (
    <Dialog
      title={own ? say('appointment') : childName}
      onClose={onClose}
      closing={say(doing === 'look' ? 'close' : 'keep')}
      {...(action && { action })}
    >
      <dl className="facts">
        <dt>{say('time')}</dt>
        <dd>
          <Time at={startsAt} form="long" />
        </dd>
        <dt>{say('instructor')}</dt>
        <dd>{instructorName ?? say('formerMember')}</dd>
        <dt>{say('center')}</dt>
        <dd>{appointment.centerName}</dd>
        {status === 'canceled' && (
          <>
            <dt>{say('status')}</dt>
            <dd>{say('statuscanceled')}</dd>
          </>
        )}
        {why && (
          <>
            <dt>{say('reason')}</dt>
            <dd>{why}</dd>
          </>
        )}
      </dl>
      {doing === 'look' && isOpen(appointment) && (
        <div className="family-moves">
          {mayMove && (
            <button type="button" className="btn" onClick={() => setDoing('move')}>
              {say('move')}
            </button>
          )}
          <button type="button" className="btn plain" onClick={() => setDoing('cancel')}>
            {say('cancel')}
          </button>
        </div>
      )}
      {doing === 'look' && !isOpen(appointment) && <p className="soft">{say(`closed${closedBy(appointment)}`)}</p>}
      {doing === 'move' && (
        <>
          <SlotPicker center={centerDomain} day={day} onDay={setDay} chosen={slot} onChoose={setSlot} words={words} />
          <Clashes {...clashes} />
        </>
      )}
      {doing === 'cancel' && (
        <Field
          label={say('reasonOptional')}
          hint={say('reasonHint')}
          maxLength={500}
          data-field="reason"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <ErrorLine error={moving.error ?? canceling.error} />
    </Dialog>
  )
}

/** Why nothing can be changed any more. */
const closedBy = ({ status }: Appointment) => (status === 'canceled' ? 'Canceled' : 'Begun')
