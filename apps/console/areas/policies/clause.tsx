/** A sentence whose words come from the catalog and whose blanks are controls: `‹name›` stands for a blank. */
import { Fragment, type ReactNode } from 'react'

export function Filled({
  text,
  blanks,
}: {
  readonly text: string
  readonly blanks: Readonly<Record<string, ReactNode>>
}) {
  return text
    .split(/(‹\w+›)/)
    .map((part, at) => <Fragment key={at}>{part.startsWith('‹') ? blanks[part.slice(1, -1)] : part}</Fragment>)
}

interface ChoiceProperties {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
  readonly changed?: boolean
}

export const Choice = ({ label, value, options, onChange, changed }: ChoiceProperties) => (
  <select
    className={`policy-blank${changed ? ' changed' : ''}`}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

interface BlankProperties {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly changed?: boolean
  readonly invalid?: boolean
  readonly number?: boolean
}

/** As wide as what stands in it. */
export const Blank = ({ label, value, onChange, placeholder = '', changed, invalid, number }: BlankProperties) => (
  <input
    className={`policy-blank${changed ? ' changed' : ''}`}
    aria-label={label}
    aria-invalid={invalid || undefined}
    inputMode={number ? 'decimal' : undefined}
    placeholder={placeholder}
    size={Math.max(4, Math.min(28, (value || placeholder).length + 1))}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)
