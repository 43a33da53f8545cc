/** The dates that kept a change of a series from being made. */
import { ApiError } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { dayText, isDay } from '../../ui/day.ts'
import { useBookingsWords } from './words.ts'

export function BlockedDates({ error }: { readonly error: unknown }) {
  const say = useBookingsWords()
  const language = useLanguage()
  const { dates } = (error instanceof ApiError ? error.details : {}) as { readonly dates?: unknown }
  const days = Array.isArray(dates) ? dates.map(({ date }: { date?: unknown }) => date).filter(isDay) : []
  if (days.length === 0) return null
  return (
    <p role="alert" className="broken">
      {say('blockedDates', { days: days.map((day) => dayText(day, language, 'short')).join(', ') })}
    </p>
  )
}
