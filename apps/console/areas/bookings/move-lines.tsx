/** What a move in the week has done, why it was not done, and how it can be done by keyboard. Screen readers hear it as it happens. */
import type { ListedBooking } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Done } from '../../ui/done.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import type { Picked } from './slip-move.ts'
import type { useMove } from './use-move.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly state: ReturnType<typeof useMove>
  readonly picked: Picked | null
  readonly refused: ListedBooking | null
}

export function MoveLines({ center, state: { move, moved }, picked, refused }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const nameOf = ({ clientName }: ListedBooking) => clientName ?? say('formerMember')
  const said = picked
    ? picked.target
      ? say('moveTarget', { client: nameOf(picked.booking), time: timeText(picked.target.startsAt, language, 'short') })
      : say('movePicked', { client: nameOf(picked.booking) })
    : refused && say('moveRefused', { client: nameOf(refused), instructor: refused.instructorName ?? '' })
  return (
    <div className="move-lines">
      <p role="status" aria-live="assertive" className={refused && !picked ? 'broken' : undefined}>
        {said}
      </p>
      {moved && !picked && (
        <Done
          key={`${moved.booking.id} ${moved.to.startsAt}`}
          names={['bookings']}
          undo={() =>
            api.bookings.move(center, moved.booking.id, {
              startsAt: moved.booking.startsAt,
              instructorId: moved.booking.instructorId,
            })
          }
        >
          {say('moveDone', { client: nameOf(moved.booking), time: timeText(moved.to.startsAt, language, 'short') })}
        </Done>
      )}
      <ErrorLine error={move.error} />
    </div>
  )
}
