/** The dates of a weekly series before it is booked: which can't be, and which the person leaves out. */
import type { BookingSeriesDate, Slot } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { dayText } from '../../ui/day.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { useBookingsWords } from './words.ts'

export interface SeriesAsked {
  readonly center: string
  readonly slot: Slot | null
  readonly bookedFor: string | undefined
  readonly weeks: number
}

export const useSeriesPreview = ({ center, slot, bookedFor, weeks }: SeriesAsked) =>
  useQuery({
    queryKey: ['bookings', center, 'series', slot?.instructorId, slot?.startsAt, weeks, bookedFor],
    enabled: slot !== null && bookedFor !== undefined && weeks > 1,
    queryFn: ({ signal }) => {
      const { instructorId = '', startsAt = '' } = slot ?? {}
      return api.bookingSeries.preview(
        center,
        { instructorId, startsAt, weeks, bookedFor: bookedFor ?? '' },
        { signal },
      )
    },
  })

/** What is left out: what can't be booked, and what the person does not want. */
export const leftOut = (dates: readonly BookingSeriesDate[], skipped: ReadonlySet<string>): string[] =>
  dates.flatMap(({ date, state }) => (state !== 'free' || skipped.has(date) ? [date] : []))

interface Properties {
  readonly preview: ReturnType<typeof useSeriesPreview>
  readonly skipped: ReadonlySet<string>
  readonly onSkip: (skipped: ReadonlySet<string>) => void
}

export function SeriesPreview({ preview, skipped, onSkip }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const toggle = (date: string) => {
    const next = new Set(skipped)
    if (!next.delete(date)) next.add(date)
    onSkip(next)
  }
  return (
    <Loaded query={preview} skeletonRows={4}>
      {({ dates }) => {
        const out = leftOut(dates, skipped)
        return (
          <>
            <p role="status">{say('seriesCount', { count: dates.length - out.length, left: out.length })}</p>
            <ul className="series-dates" aria-label={say('seriesDates')}>
              {dates.map(({ week, date, startsAt, state, closure }) => (
                <li key={date}>
                  <label>
                    <input
                      type="checkbox"
                      disabled={state !== 'free'}
                      checked={state === 'free' && !skipped.has(date)}
                      onChange={() => toggle(date)}
                    />
                    <span>
                      {say('seriesWeek', { week })} · {dayText(date, language, 'short')}{' '}
                      {timeText(startsAt, language, 'clock')}
                    </span>
                  </label>
                  {state !== 'free' && (
                    <span className="waiting small">
                      <span aria-hidden="true">◷ </span>
                      {state === 'closed' ? say('seriesclosed', { name: closure ?? '' }) : say(`series${state}`)}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </Loaded>
  )
}
