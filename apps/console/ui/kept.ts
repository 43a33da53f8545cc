/**
 * Comments that were begun beside a decision and not sent, by person and decision. Going through the inbox means leaving a decision
 * for another and coming back: a question at each would be in the way, so the text waits where it was written. It is in memory only,
 * since it can name people.
 */
import { useEffect, useState } from 'react'

const texts = new Map<string, string>()

export const anyKept = (): boolean => texts.size > 0

export function useKept(person: string, decision: string): [text: string, change: (text: string) => void] {
  const name = `${person} ${decision}`
  const [text, setText] = useState(() => texts.get(name) ?? '')
  useEffect(() => setText(texts.get(name) ?? ''), [name])
  return [
    text,
    (next) => {
      setText(next)
      if (next.trim() === '') texts.delete(name)
      else texts.set(name, next)
    },
  ]
}
