/** The message after booking, moving and canceling. */
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { dayOf, dayText } from '../../ui/day.ts'
import { Done } from '../../ui/done.tsx'
import type { DoneWith } from './appointment.ts'
import { useFamilyWords } from './words.ts'

export function DoneWithAppointment({ done }: { readonly done: DoneWith | null }) {
  const say = useFamilyWords()
  const language = useLanguage()
  if (!done) return null
  const { what, appointment, at } = done
  const { startsAt, instructorName } = appointment
  const time = `${dayText(dayOf(startsAt), language, 'short')} ${timeText(startsAt, language, 'clock')}`
  return (
    <Done key={at} names={['bookings']} undo={done.undo}>
      {say(`done${what}`, { time, instructor: instructorName ?? say('formerMember') })}
    </Done>
  )
}
