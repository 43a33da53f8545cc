/** A labeled input, with a fault below it that screen readers connect to it. */
import { type InputHTMLAttributes, useId } from 'react'

interface Properties extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly fault?: string | undefined
  readonly hint?: string
}

export function Field({ label, fault, hint, ...input }: Properties) {
  const id = useId()
  const below = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined
  return (
    <div className="labeled">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input {...input} id={id} className="field" aria-invalid={fault ? true : undefined} aria-describedby={below} />
      {fault ? (
        <p id={`${id}-fault`} className="fault">
          <span aria-hidden="true">✕ </span>
          {fault}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="soft small">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
