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
import { useFamilyWords } from './words.ts'

interface Properties {
  readonly appointment: Appointment
  /** Of a client, who needs no name above their own appointment. */
  readonly own?: readonly Appointment[] | undefined
  readonly mayMove: boolean
  readonly doing?: 'move' | 'cancel' | undefined
  readonly onDone: (done: DoneWith) => void
  readonly onClose: () => void
}

export function AppointmentDialog({ appointment, own, mayMove, doing: first, onDone, onClose }: Properties) {
  const say = useFamilyWords()
  const words = useSlotWords()
  const { centerDomain, childName, instructorName, startsAt, status, reason: why } = appointment
  const [doing, setDoing] = useState<'look' | 'move' | 'cancel'>(first ?? 'look')
  const [day, setDay] = useState(notPast(dayOf(startsAt)))
  const [slot, setSlot] = useState<Slot | null>(null)
  const [reason, setReason] = useState('')
  const clashes = useClashes({ slot, ...appointment, moved: appointment.id, own })
  const moving = useChange<Slot>(['bookings'], async (to) => onDone(await move(appointment, to)), onClose)
  const canceling = useChange(['bookings'], async () => onDone(await cancel(appointment, reason.trim())), onClose)
  const back = (
    <button type="button" className="btn plain" onClick={onClose}>
      {say(doing === 'look' ? 'close' : 'keep')}
    </button>
  )
  const actions = (
    <>
      {back}
      {doing === 'move' && (
        <button
          type="button"
          className="btn first"
          disabled={!slot || moving.isPending || clashes.isAsking || clashes.refused.length > 0}
          onClick={() => slot && moving.mutate(slot)}
        >
          {say('moveTo')}
        </button>
      )}
      {doing === 'cancel' && (
        <button type="button" className="btn first" disabled={canceling.isPending} onClick={() => canceling.mutate()}>
          {say('confirmCancel')}
        </button>
      )}
    </>
  )
  return (
    <Dialog title={own ? say('appointment') : childName} onClose={onClose} actions={actions}>
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
