/** Free times of a day, as one group of choices. */

import { zoneName } from '@countersign/design/zones.ts'
import type { Slot } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '../app/api.ts'
import { useLanguage } from '../app/i18n.ts'
import { currentZone } from '../app/zone.ts'
import { timeText } from './clock.ts'
import { addDays, type Day, dayText, isDay, startOf, today } from './day.ts'
import { ErrorPanel } from './error-panel.tsx'
import { Skeleton } from './skeleton.tsx'
import './slot-picker.css'

interface Properties {
  readonly center: string
  readonly day: Day
  readonly onDay: (day: Day) => void
  readonly chosen: Slot | null
  readonly onChoose: (slot: Slot) => void
  /** Only of this instructor. */
  readonly instructorId?: string | undefined
  readonly words: {
    readonly date: string
    readonly slots: string
    readonly none: string
    readonly before: string
    readonly after: string
  }
}

export function SlotPicker({ center, day, onDay, chosen, onChoose, instructorId, words }: Properties) {
  const language = useLanguage()
  const name = useId()
  const { data, error, refetch } = useQuery({
    queryKey: ['bookings', center, 'slots', day, instructorId],
    queryFn: ({ signal }) =>
      api.bookings.listSlots(center, { date: day, ...(instructorId && { instructorId }) }, { signal }),
  })
  // The center of the slots may be another one than that of the page.
  const zone = data?.timezone ?? currentZone()
  const free = data?.slots.filter(({ startsAt }) => Date.parse(startsAt) > Date.now())
  return (
    <div className="slots">
      <div className="slots-day">
        <button
          type="button"
          className="btn plain low"
          disabled={day <= today(zone)}
          onClick={() => onDay(addDays(day, -1))}
        >
          {words.before}
        </button>
        <label>
          <span className="unseen">{words.date}</span>
          <input
            type="date"
            className="field"
            value={day}
            min={today(zone)}
            onChange={({ target }) => isDay(target.value) && onDay(target.value)}
          />
        </label>
        <button type="button" className="btn plain low" onClick={() => onDay(addDays(day, 1))}>
          {words.after}
        </button>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!free && !error && <Skeleton rows={2} />}
      {free?.length === 0 && <p className="soft">{words.none}</p>}
      {free && free.length > 0 && (
        <fieldset className="slots-free">
          <legend className="label">
            {words.slots} · {dayText(day, language, 'short')} · {zoneName(Date.parse(startOf(day, zone)), zone)}
          </legend>
          {free.map((slot) => (
            <label key={`${slot.instructorId} ${slot.startsAt}`} className="slots-one">
              <input
                type="radio"
                name={name}
                checked={chosen?.startsAt === slot.startsAt && chosen.instructorId === slot.instructorId}
                onChange={() => onChoose(slot)}
              />
              <span>
                <b>{timeText(slot.startsAt, language, 'clock', zone)}</b>
                <small>{slot.instructorName}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}
