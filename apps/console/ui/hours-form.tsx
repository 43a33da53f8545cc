/** The hours of a week, of a center or of an instructor: each day some spans, or none. */
import type { WeekHours } from '@countersign/sdk'
import { useLanguage } from '../app/i18n.ts'
import { addDays, dayText } from './day.ts'
import './hours-form.css'
import { useUiWords } from './words.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
/** Any Monday. */
const monday = '2026-11-16'

interface Properties {
  readonly title: string
  readonly value: WeekHours
  readonly onChange: (value: WeekHours) => void
}

export function HoursForm({ title, value, onChange }: Properties) {
  const say = useUiWords()
  const language = useLanguage()
  return (
    <fieldset className="hours-form">
      <legend className="label">{title}</legend>
      {days.map((day, at) => {
        const spans = value[day] ?? []
        const name = dayText(addDays(monday, at), language, 'weekday')
        const set = (next: typeof spans) => onChange({ ...value, [day]: next })
        return (
          <div key={day} className="hours-form-day">
            <b>{name}</b>
            {spans.length === 0 && <span className="soft">{say('closedDay')}</span>}
            {spans.map((span, index) => (
              <span key={`${day} ${index}`} className="hours-form-span">
                {(['from', 'to'] as const).map((edge) => (
                  <input
                    key={edge}
                    className="field mono"
                    value={span[edge]}
                    pattern="([01][0-9]|2[0-3]):[0-5][0-9]|24:00"
                    aria-label={`${name} ${say(edge === 'from' ? 'opens' : 'closes')}`}
                    onChange={({ target }) => set(spans.with(index, { ...span, [edge]: target.value }))}
                  />
                ))}
                <button type="button" className="quiet" onClick={() => set(spans.toSpliced(index, 1))}>
                  {say('removeHours')}
                </button>
              </span>
            ))}
            {spans.length < 6 && (
              <button
                type="button"
                className="quiet"
                aria-label={`${name} ${say('addHours')}`}
                onClick={() => set([...spans, { from: spans.at(-1)?.to ?? '09:00', to: '18:00' }])}
              >
                {say('addHours')}
              </button>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
