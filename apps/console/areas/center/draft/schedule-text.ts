/** A schedule in words. */
import { formatter } from '@countersign/design/zones.ts'
import { type Language, useLanguage } from '../../../app/i18n.ts'
import { chosenOf } from './cron.ts'
import { useDraftWords } from './words.ts'

/** A day of the week, 0 for Sunday: 4 January 1970 was one. */
export const weekdayText = (day: number, language: Language): string =>
  formatter(language === 'ko' ? 'ko-KR' : 'en-US', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, 0, 4 + day)),
  )

export function useScheduleText(): (cron: string) => string {
  const say = useDraftWords()
  const language = useLanguage()
  return (cron) => {
    const chosen = chosenOf(cron)
    if (!chosen) return say('cronText', { cron })
    const { repeat, time, day, date } = chosen
    switch (repeat) {
      case 'hourly':
        return say('everyHour', { minute: Number(time.slice(3)) })
      case 'daily':
        return say('everyDay', { time })
      case 'workdays':
        return say('everyWorkday', { time })
      case 'weekly':
        return say('everyWeek', { day: weekdayText(day, language), time })
      case 'monthly':
        return say('everyMonth', { date, time })
    }
  }
}

/** Events that start a workflow of the catalog; another one is shown by its name. */
export function useEventText(): (event: string) => string {
  const say = useDraftWords()
  return (event) =>
    event === 'booking.created' ? say('eventbooking') : event === 'payment.failed' ? say('eventpayment') : event
}
