/** Copies a text and says so. */
import { useState } from 'react'
import { useUiWords } from './words.ts'

const shownMs = 2000

export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const say = useUiWords()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <button type="button" className="quiet" aria-label={say('copyOf', { what })} onClick={copy}>
      <span aria-live="polite">{copied ? say('copied') : say('copy')}</span>
    </button>
  )
}
