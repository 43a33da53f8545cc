/** The verticals in words, and the field that chooses one. */
import type { Vertical } from '@countersign/sdk'
import { useNewCenterWords } from './words.ts'

const verticals = [
  'rehabilitation',
  'welfare',
  'education',
  'pharmacy',
  'commerce',
  'mentoring',
  'interior',
] as const satisfies readonly Vertical[]

export const VerticalName = ({ of }: { readonly of: Vertical }) => useNewCenterWords()(`vertical${of}`)

interface Properties {
  readonly value: Vertical
  readonly onChange: (value: Vertical) => void
}

export function VerticalField({ value, onChange }: Properties) {
  const say = useNewCenterWords()
  return (
    <label className="labeled">
      <span className="label">{say('vertical')}</span>
      <select
        className="field"
        value={value}
        onChange={({ target }) => onChange(verticals.find((each) => each === target.value) ?? value)}
      >
        {verticals.map((each) => (
          <option key={each} value={each}>
            {say(`vertical${each}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
