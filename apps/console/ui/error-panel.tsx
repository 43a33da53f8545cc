/** A failed call: what happened, what to do next, and what to quote. */
import { Copy } from './copy.tsx'
import { useErrorWords } from './error-words.ts'
import { failureOf } from './failure.ts'
import { useUiWords } from './words.ts'

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

/** One line below a form or a field. */
export function ErrorLine({ error }: { readonly error: unknown }) {
  const told = useErrorWords()
  if (!error) return <p role="alert" className="fault" />
  const { code, cause } = failureOf(error)
  const { what, next } = told(code, cause)
  return (
    <p role="alert" className="fault">
      <span aria-hidden="true">✕ </span>
      {what} {next}
    </p>
  )
}
