/** A time in KST, with the exact value behind it. */
import { useLanguage } from '../app/i18n.ts'
import { type TimeForm, timeText } from './clock.ts'

interface Properties {
  readonly at: string
  readonly form?: TimeForm
}

export function Time({ at, form = 'short' }: Properties) {
  return (
    <time dateTime={at} title={at}>
      {timeText(at, useLanguage(), form)}
    </time>
  )
}
