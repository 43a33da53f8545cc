/** The message after booking, moving and canceling. */
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { dayOf, dayText } from '../../ui/day.ts'
import type { DoneWith } from './appointment.ts'
import { useFamilyWords } from './words.ts'

export function useDoneText() {
  const say = useFamilyWords()
  const language = useLanguage()
  return ({ what, appointment: { startsAt, instructorName } }: DoneWith): string => {
    const time = `${dayText(dayOf(startsAt), language, 'short')} ${timeText(startsAt, language, 'clock')}`
    return say(`done${what}`, { time, instructor: instructorName ?? say('formerMember') })
  }
}
