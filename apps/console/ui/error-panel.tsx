/** A failed call: what happened, what to do next, and what to quote. */
import { useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Copy } from './copy.tsx'
import { useErrorWords, useFieldName } from './error-words.ts'
import { failureOf } from './failure.ts'
import { useMarked } from './marked.ts'
import { useUiWords } from './words.ts'

const noFailure = { code: '', cause: null, field: null } as const

interface Properties {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function ErrorPanel({ error, onRetry }: Properties) {
  const say = useUiWords()
  const { code, requestId, cause } = failureOf(error)
  const { what, next } = useErrorWords()(code, cause)
  return (
    <section className="fault-panel" role="alert">
      <p className="broken">
        <span aria-hidden="true">✕ </span>
        {what}
      </p>
      <p>{next}</p>
      <p className="soft small">
        {say('errorCode')} <span className="mono">{code}</span>
        {requestId && (
          <>
            {' · '}
            {say('requestId')} <span className="mono">{requestId}</span>{' '}
            <Copy text={requestId} what={say('requestId')} />
          </>
        )}
      </p>
      {onRetry && (
        <button type="button" className="btn low plain" onClick={onRetry}>
          {say('tryAgain')}
        </button>
      )}
    </section>
  )
}

/** One line below a form, or at the field of it that was refused. */
export function ErrorLine({ error }: { readonly error: unknown }) {
  const line = useRef<HTMLParagraphElement>(null)
  const id = useId()
  const words = useErrorWords()
  const nameOf = useFieldName()
  const { code, cause, field } = error ? failureOf(error) : noFailure
  const place = useMarked(line, field, id)
  if (!error) return <p ref={line} role="alert" className="fault" />
  const { what, next } = words(code, cause)
  const text = (
    <>
      <span aria-hidden="true">✕ </span>
      {field !== null && !place && `${nameOf(field)}: `}
      {what} {next}
    </>
  )
  return (
    <>
      <p ref={line} role="alert" className="fault">
        {!place && what !== '' && text}
      </p>
      {place &&
        createPortal(
          <p id={id} role="alert" className="fault">
            {text}
          </p>,
          place,
        )}
    </>
  )
}
