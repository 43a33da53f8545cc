/** One appointment of a child: move it, or cancel it with a reason. */
import type { FamilyAppointment, Slot } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { dayOf, notPast } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { Time } from '../../ui/time.tsx'
import { useSlotWords } from './slot-words.ts'
import { useFamilyWords } from './words.ts'

interface Properties {
  readonly appointment: FamilyAppointment
  readonly onClose: () => void
}

export function AppointmentDialog({ appointment, onClose }: Properties) {
  const say = useFamilyWords()
  const words = useSlotWords()
  const { id, centerDomain, childName, instructorName, startsAt, status } = appointment
  const [doing, setDoing] = useState<'look' | 'move' | 'cancel'>('look')
  const [day, setDay] = useState(notPast(dayOf(startsAt)))
  const [slot, setSlot] = useState<Slot | null>(null)
  const [reason, setReason] = useState('')
  const move = useChange<Slot>(
    ['bookings'],
    (to) => api.bookings.move(centerDomain, id, { startsAt: to.startsAt, instructorId: to.instructorId }),
    onClose,
  )
  const cancel = useChange(['bookings'], () => api.bookings.cancelWithReason(centerDomain, id, { reason }), onClose)
  const back = (
    <button type="button" className="btn plain" onClick={() => (doing === 'look' ? onClose() : setDoing('look'))}>
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
          disabled={!slot || move.isPending}
          onClick={() => slot && move.mutate(slot)}
        >
          {say('moveTo')}
        </button>
      )}
      {doing === 'cancel' && (
        <button
          type="button"
          className="btn first"
          disabled={reason.trim() === '' || cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {say('confirmCancel')}
        </button>
      )}
    </>
  )
  return (
    <Dialog title={childName} onClose={onClose} actions={actions}>
      <dl className="facts">
        <dt>{say('time')}</dt>
        <dd>
          <Time at={startsAt} form="long" />
        </dd>
        <dt>{say('instructor')}</dt>
        <dd>{instructorName ?? say('formerMember')}</dd>
        <dt>{say('center')}</dt>
        <dd>{appointment.centerName}</dd>
      </dl>
      {doing === 'look' && status === 'booked' && Date.parse(startsAt) > Date.now() && (
        <div className="family-moves">
          <button type="button" className="btn" onClick={() => setDoing('move')}>
            {say('move')}
          </button>
          <button type="button" className="btn plain" onClick={() => setDoing('cancel')}>
            {say('cancel')}
          </button>
        </div>
      )}
      {doing === 'move' && (
        <SlotPicker center={centerDomain} day={day} onDay={setDay} chosen={slot} onChoose={setSlot} words={words} />
      )}
      {doing === 'cancel' && (
        <Field
          label={say('reason')}
          hint={say('reasonHint')}
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <ErrorLine error={move.error ?? cancel.error} />
    </Dialog>
  )
}
