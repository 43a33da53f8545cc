/** One appointment: what is known of it, and what can be done with it now. */
import type { ListedBooking } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useOffers } from '../../app/offers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { BookingStatus } from './booking-status.tsx'
import { useBookingMessages } from './messages.ts'
import { MoveForm } from './move-form.tsx'
import { type Scope, ScopeChoice } from './scope-choice.tsx'
import { SeriesFacts } from './series-facts.tsx'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly booking: ListedBooking
  readonly onClose: () => void
}

export function BookingDialog({ center, booking, onClose }: Properties) {
  const say = useBookingsWords()
  const { id, status, startsAt, endsAt, createdAt, reason } = booking
  const messages = useBookingMessages(center)
  const offers = useOffers(center)
  const [doing, setDoing] = useState<'nothing' | 'move' | 'cancel'>('nothing')
  const [why, setWhy] = useState('')
  const [scope, setScope] = useState<Scope>('one')
  const begun = Date.parse(startsAt) <= Date.now()
  const client = booking.clientName ?? say('formerMember')
  const change = useChange<'attended' | 'no_show' | 'cancel'>(
    ['bookings'],
    async (what) => {
      if (what === 'cancel')
        await api.bookings.cancelWithReason(center, id, { reason: why, ...(scope !== 'one' && { scope }) })
      else await (what === 'attended' ? api.bookings.markAttended(center, id) : api.bookings.markNoShow(center, id))
    },
    {
      told: (_, what) => messages.told(booking, what),
      undo: (_, what) => messages.undo(booking, what, what === 'cancel' && scope !== 'one'),
      onDone: onClose,
    },
  )
  if (doing === 'move') return <MoveForm center={center} booking={booking} onClose={onClose} />
  if (doing === 'cancel') {
    return (
      <Dialog
        title={say('cancelTitle')}
        onClose={() => setDoing('nothing')}
        closing={say('keep')}
        action={{
          text: say('confirmCancel'),
          disabled: why.trim() === '' || change.isPending,
          run: () => change.mutate('cancel'),
        }}
      >
        <p>{say('cancelText', { client })}</p>
        {booking.seriesId && <ScopeChoice scope={scope} onChoose={setScope} />}
        <Field
          label={say('cancelReason')}
          data-field="reason"
          value={why}
          maxLength={500}
          onChange={({ target }) => setWhy(target.value)}
        />
        <ErrorLine error={change.error} />
      </Dialog>
    )
  }
  return (
    <Dialog title={client} onClose={onClose}>
      <dl className="facts">
        <dt>{say('time')}</dt>
        <dd>
          <Time at={startsAt} form="long" /> – <Time at={endsAt} form="clock" />
        </dd>
        <dt>{say('instructor')}</dt>
        <dd>{booking.instructorName ?? say('formerMember')}</dd>
        <dt>{say('status')}</dt>
        <dd>
          <BookingStatus status={status} />
        </dd>
        {booking.seriesId && booking.seriesWeek !== null && (
          <SeriesFacts center={center} id={booking.seriesId} week={booking.seriesWeek} />
        )}
        {reason && (
          <>
            <dt>{say('reason')}</dt>
            <dd>{reason}</dd>
          </>
        )}
        <dt>{say('madeAt')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      <div className="bookings-moves">
        {offers.attendance && begun && status !== 'canceled' && status !== 'attended' && (
          <button type="button" className="btn" disabled={change.isPending} onClick={() => change.mutate('attended')}>
            {say('markAttended')}
          </button>
        )}
        {offers.attendance && begun && status !== 'canceled' && status !== 'no_show' && (
          <button type="button" className="btn" disabled={change.isPending} onClick={() => change.mutate('no_show')}>
            {say('markNoShow')}
          </button>
        )}
        {status === 'booked' && (
          <>
            {offers.booking && (
              <button type="button" className="btn" onClick={() => setDoing('move')}>
                {say('move')}
              </button>
            )}
            <button type="button" className="btn plain" onClick={() => setDoing('cancel')}>
              {say('cancelIt')}
            </button>
          </>
        )}
      </div>
      <ErrorLine error={change.error} />
    </Dialog>
  )
}
