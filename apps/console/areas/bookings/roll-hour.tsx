/** Everybody of one start time, each with two large buttons. */
import type { ListedBooking } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { useErrorWords } from '../../ui/error-words.ts'
import { failureOf } from '../../ui/failure.ts'
import type { Kind, Tap } from './use-marks.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly startsAt: string
  readonly bookings: readonly ListedBooking[]
  readonly taps: ReadonlyMap<string, Tap>
  readonly mayMark: boolean
  readonly onMark: (bookings: readonly ListedBooking[], kind: Kind) => void
}

export function RollHour({ startsAt, bookings, taps, mayMark, onMark }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const time = timeText(startsAt, language, 'clock')
  const begun = Date.parse(startsAt) <= Date.now()
  const open = bookings.filter(({ status }) => status === 'booked')
  return (
    <section aria-label={time} className="roll-hour">
      <header>
        <h2>{time}</h2>
        <p className="soft">
          {begun
            ? say('rollCount', { recorded: bookings.length - open.length, all: bookings.length })
            : say('rollNotStarted', { count: bookings.length })}
        </p>
        {mayMark && begun && open.length > 0 && (
          <button
            type="button"
            className="btn roll-all"
            aria-label={`${time} ${say('rollAll')}`}
            onClick={() => onMark(open, 'attended')}
          >
            {say('rollAll')}
          </button>
        )}
      </header>
      <ul>
        {bookings.map((booking) => (
          <li key={booking.id}>
            <span className="roll-person">
              {booking.clientName ?? say('formerMember')}
              <small>{booking.instructorName ?? say('formerMember')}</small>
            </span>
            {mayMark && begun && <RollChoice booking={booking} tap={taps.get(booking.id)} onMark={onMark} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ChoiceProperties {
  readonly booking: ListedBooking
  readonly tap: Tap | undefined
  readonly onMark: Properties['onMark']
}

function RollChoice({ booking, tap, onMark }: ChoiceProperties) {
  const say = useBookingsWords()
  const { clientName, status } = booking
  const name = clientName ?? say('formerMember')
  if (status === 'canceled') return <span className="soft roll-choice">{say('statuscanceled')}</span>
  const saving = tap?.state === 'saving' ? tap.kind : null
  return (
    <>
      <div className="roll-choice">
        {(['attended', 'no_show'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            className="btn"
            aria-pressed={status === kind}
            aria-label={`${name} ${say(`status${kind}`)}`}
            data-saving={saving === kind || undefined}
            onClick={() => status !== kind && onMark([booking], kind)}
          >
            {status === kind && <span aria-hidden="true">✓ </span>}
            {say(`status${kind}`)}
          </button>
        ))}
      </div>
      <RollNote booking={booking} tap={tap} />
    </>
  )
}

function RollNote({ booking, tap }: Pick<ChoiceProperties, 'booking' | 'tap'>) {
  const say = useBookingsWords()
  const wordsOf = useErrorWords()
  const language = useLanguage()
  if (tap?.state === 'saving') {
    return (
      <p className="roll-note soft" role="status">
        {say('rollSaving')}
      </p>
    )
  }
  if (tap?.state === 'failed') {
    const { code, cause } = failureOf(tap.error)
    return (
      <p className="roll-note fault" role="alert">
        <span aria-hidden="true">✕ </span>
        {say('rollFailed')} {wordsOf(code, cause).what}
      </p>
    )
  }
  const { recordedAt, recordedByName } = booking
  const who = recordedByName ?? say('rollSomebody')
  const by = recordedAt && say('rollRecorded', { who, time: timeText(recordedAt, language, 'short') })
  if (tap?.state === 'answered' && tap.outcome === 'changed') {
    return (
      <p className="roll-note waiting" role="alert">
        {say('rollChanged')} {by}
      </p>
    )
  }
  return by ? (
    <p className="roll-note soft" role="status">
      {by}
    </p>
  ) : (
    // Its place is kept, so that a tap doesn't move the rows below.
    <p className="roll-note" />
  )
}
