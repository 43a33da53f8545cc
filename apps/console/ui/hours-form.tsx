/** The hours of a week, of a center or of an instructor: each day some spans, or none. */
import type { WeekHours } from '@countersign/sdk'
import { useId } from 'react'
import { useLanguage } from '../app/i18n.ts'
import { clockTime, halfHours } from './clock-time.ts'
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
  const times = useId()
  const faultOf = ({ from, to }: { readonly from: string; readonly to: string }) => {
    const [opens, closes] = [clockTime(from), clockTime(to)]
    if (!opens || !closes) return say('noTime')
    return opens < closes ? null : say('closesFirst')
  }
  return (
    <fieldset className="hours-form" data-field="hours">
      <datalist id={times}>
        {halfHours.map((time) => (
          <option key={time} value={time} />
        ))}
      </datalist>
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
                    list={times}
                    inputMode="numeric"
                    autoComplete="off"
                    aria-invalid={faultOf(span) ? true : undefined}
                    aria-describedby={faultOf(span) ? `${times}-${day}-${index}` : undefined}
                    aria-label={`${name} ${say(edge === 'from' ? 'opens' : 'closes')}`}
                    // The list offers only what begins as the field does.
                    onFocus={({ target }) => target.select()}
                    onChange={({ target }) => set(spans.with(index, { ...span, [edge]: target.value }))}
                    onBlur={({ target }) => {
                      const time = clockTime(target.value)
                      if (time && time !== span[edge]) set(spans.with(index, { ...span, [edge]: time }))
                    }}
                  />
                ))}
                <button type="button" className="quiet" onClick={() => set(spans.toSpliced(index, 1))}>
                  {say('removeHours')}
                </button>
                {faultOf(span) && (
                  <span id={`${times}-${day}-${index}`} className="fault">
                    {faultOf(span)}
                  </span>
                )}
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
