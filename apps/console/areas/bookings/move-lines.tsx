/** Where a move in the week would go, why it was not made, and how it can be done by keyboard. Screen readers hear it as it happens. */
import type { ListedBooking } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import type { Picked } from './slip-move.ts'
import type { useMove } from './use-move.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly state: ReturnType<typeof useMove>
  readonly picked: Picked | null
  readonly refused: ListedBooking | null
}

export function MoveLines({ state: { move }, picked, refused }: Properties) {
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
      <ErrorLine error={move.error} />
    </div>
  )
}
