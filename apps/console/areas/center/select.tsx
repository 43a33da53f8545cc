/** One of a few values, or none. */
interface Properties<T extends string> {
  readonly label: string
  /** What stands there without a choice. */
  readonly none?: string
  readonly value: T | undefined
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly disabled?: boolean
  readonly onChange: (value: T | undefined) => void
}

export const Select = <T extends string>({
  label,
  none,
  value,
  options,
  disabled = false,
  onChange,
}: Properties<T>) => (
  <select
    className="field"
    aria-label={label}
    disabled={disabled}
    value={value ?? ''}
    onChange={({ target }) => onChange(options.find(([each]) => each === target.value)?.[0])}
  >
    {none !== undefined && <option value="">{none}</option>}
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)
