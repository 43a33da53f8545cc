/** The sentence of a decision: its facts are underlined, numbered, and lead to their data. */
import { Fragment } from 'react'

/** A text, or a fact with the id of the element that shows its data. */
export type SentencePart = string | { readonly fact: string; readonly number?: number; readonly to?: string }

export const Sentence = ({ parts }: { readonly parts: readonly SentencePart[] }) => (
  <h1 className="sentence">
    {parts.map((part, at) => {
      if (typeof part === 'string') return part
      const fact = part.to ? (
        <a className="fact" href={`#${part.to}`}>
          {part.fact}
        </a>
      ) : (
        <span className="fact">{part.fact}</span>
      )
      return (
        <Fragment key={at}>
          {fact}
          {part.number !== undefined && <sup aria-hidden="true">{part.number}</sup>}
        </Fragment>
      )
    })}
  </h1>
)
