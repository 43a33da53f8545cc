/** For an appointment of a series: whether a change is about this one, this and the following ones, or all that are to come. */
import { useId } from 'react'
import { useBookingsWords } from './words.ts'

export const scopes = ['one', 'following', 'all'] as const
export type Scope = (typeof scopes)[number]

interface Properties {
  readonly scope: Scope
  readonly onChoose: (scope: Scope) => void
}

export function ScopeChoice({ scope, onChoose }: Properties) {
  const say = useBookingsWords()
  const name = useId()
  return (
    <fieldset className="scope-choice">
      <legend className="label">{say('scope')}</legend>
      {scopes.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={scope === each} onChange={() => onChoose(each)} />
          {say(`scope${each}`)}
        </label>
      ))}
    </fieldset>
  )
}
