/** How long a key works: a choice of times, or a day. */
import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { useDeveloperWords } from './words.ts'

const dayMs = 86_400_000
/** Within this time an expiry is announced. */
export const soonMs = 14 * dayMs
const days = ['30', '90', '365'] as const

type Choice = 'same' | 'never' | 'day' | (typeof days)[number]

interface Expiry {
  readonly form: ReactNode
  /** Null: never. Undefined: as the server decides. */
  readonly at: () => string | null | undefined
  readonly missing: string | undefined
}

/** With `same`, the person can leave it as the previous key had it. */
export function useExpiry(first: 'same' | 'never'): Expiry {
  const say = useDeveloperWords()
  const [choice, setChoice] = useState<Choice>(first)
  const [day, setDay] = useState('')
  const choices: readonly Choice[] = [...(first === 'same' ? (['same'] as const) : []), 'never', ...days, 'day']
  const end = new Date(`${day}T23:59:59`)
  const isPast = !(end.getTime() > Date.now())
  return {
    form: (
      <>
        <label className="labeled">
          <span className="label">{say('keyExpires')}</span>
          <select className="field" value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
            {choices.map((each) => (
              <option key={each} value={each}>
                {say(`expiry_${each}`)}
              </option>
            ))}
          </select>
        </label>
        {choice === 'day' && (
          <Field
            label={say('expiryDay')}
            type="date"
            data-field="expiresAt"
            value={day}
            fault={day !== '' && isPast ? say('expiryPast') : undefined}
            onChange={({ target }) => setDay(target.value)}
          />
        )}
      </>
    ),
    at: () => {
      if (choice === 'same') return undefined
      if (choice === 'never') return null
      return (choice === 'day' ? end : new Date(Date.now() + Number(choice) * dayMs)).toISOString()
    },
    missing: choice === 'day' && isPast ? say('expiryMissing') : undefined,
  }
}
