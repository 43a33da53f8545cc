/** The details of an entry of an audit, closed until the reader opens them. */
import { useUiWords } from './words.ts'

interface Properties {
  readonly value: object
  readonly label?: string
}

export function Details({ value, label }: Properties) {
  const say = useUiWords()
  if (Object.keys(value).length === 0) return null
  return (
    <details className="details">
      <summary>{label ?? say('show')}</summary>
      <pre className="code">{JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}
