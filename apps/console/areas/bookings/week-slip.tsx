/** A slip of paper in the week: one appointment, which opens, and moves by pointer or keyboard. */
import type { ListedBooking } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import type { useSlipMove } from './slip-move.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly booking: ListedBooking
  readonly moving: ReturnType<typeof useSlipMove>
  readonly hint: string
  readonly onOpen: (id: string) => void
}

export function WeekSlip({ booking, moving, hint, onOpen }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const { status, clientName, instructorName, reason, seriesWeek } = booking
  const picked = moving.picked?.booking.id === booking.id ? moving.picked : null
  return (
    <button
      type="button"
      className={`slip slip-${status}${picked ? ' slip-picked' : ''}`}
      aria-describedby={status === 'booked' ? hint : undefined}
      style={picked?.by ? { transform: `translate(${picked.by.x}px, ${picked.by.y}px)` } : undefined}
      {...moving.slip(booking)}
      onClick={() => moving.wasDragged() || onOpen(booking.id)}
    >
      <span className="unseen">{timeText(booking.startsAt, language, 'clock')} </span>
      <b>{clientName ?? say('formerMember')}</b>
      <small>{status === 'canceled' && reason ? reason : (instructorName ?? say('formerMember'))}</small>
      {status === 'attended' && <em className="verified">✓ {say('statusattended')}</em>}
      {status === 'no_show' && <em className="broken">✕ {say('statusno_show')}</em>}
      {status === 'canceled' && <span className="unseen">{say('statuscanceled')}</span>}
      {seriesWeek !== null && status === 'booked' && (
        <i className="slip-series">
          <span aria-hidden="true">↻ </span>
          <span className="unseen">{say('series')} </span>
          {seriesWeek}
        </i>
      )}
    </button>
  )
}
