/** One appointment: what is known of it, and what can be done with it now. */
import type { ListedBooking } from '@countersign/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { BookingStatus } from './booking-status.tsx'
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
  const [doing, setDoing] = useState<'nothing' | 'move' | 'cancel'>('nothing')
  const [why, setWhy] = useState('')
  const [scope, setScope] = useState<Scope>('one')
  const begun = Date.parse(startsAt) <= Date.now()
  const change = useMutation({
    mutationFn: async (what: 'attended' | 'no_show' | 'cancel') => {
      if (what === 'cancel')
        await api.bookings.cancelWithReason(center, id, { reason: why, ...(scope !== 'one' && { scope }) })
      else await (what === 'attended' ? api.bookings.markAttended(center, id) : api.bookings.markNoShow(center, id))
      await queries.invalidateQueries({ queryKey: ['bookings'] })
    },
    onSuccess: onClose,
  })
  const client = booking.clientName ?? say('formerMember')
  if (doing === 'move') return <MoveForm center={center} booking={booking} onClose={onClose} />
  if (doing === 'cancel') {
    const actions = (
      <>
        <button type="button" className="btn plain" onClick={() => setDoing('nothing')}>
          {say('keep')}
        </button>
        <button
          type="button"
          className="btn first"
          disabled={why.trim() === '' || change.isPending}
          onClick={() => change.mutate('cancel')}
        >
          {say('confirmCancel')}
        </button>
      </>
    )
    return (
      <Dialog title={say('cancelTitle')} onClose={onClose} actions={actions}>
        <p>{say('cancelText', { client })}</p>
        {booking.seriesId && <ScopeChoice scope={scope} onChoose={setScope} />}
        <Field
          label={say('cancelReason')}
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
        {begun && status !== 'canceled' && status !== 'attended' && (
          <button type="button" className="btn" disabled={change.isPending} onClick={() => change.mutate('attended')}>
            {say('markAttended')}
          </button>
        )}
        {begun && status !== 'canceled' && status !== 'no_show' && (
          <button type="button" className="btn" disabled={change.isPending} onClick={() => change.mutate('no_show')}>
            {say('markNoShow')}
          </button>
        )}
        {status === 'booked' && (
          <>
            <button type="button" className="btn" onClick={() => setDoing('move')}>
              {say('move')}
            </button>
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
