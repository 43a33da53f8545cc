/** A time on the clock of the center, with the zone behind it. */
import { useLanguage } from '../app/i18n.ts'
import { type TimeForm, timeText } from './clock.ts'

interface Properties {
  readonly at: string
  readonly form?: TimeForm
}

export function Time({ at, form = 'short' }: Properties) {
  const language = useLanguage()
  return (
    <time dateTime={at} title={timeText(at, language, 'long')}>
      {timeText(at, language, form)}
    </time>
  )
}
