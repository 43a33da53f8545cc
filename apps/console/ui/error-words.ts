/** What a code of the API means for the person, and what to do next. A new code does not compile without its sentences. */
import type { ErrorCode } from '@countersign/contract/errors.ts'
import en from '@countersign/words/en/errors.json' with { type: 'json' }
import ko from '@countersign/words/ko/errors.json' with { type: 'json' }
import { catalog } from '../app/i18n.ts'

/** Codes of this browser, beside those of the server. */
type Code = ErrorCode | 'NO_ANSWER' | 'UNREADABLE'

const words: Readonly<Record<Code | `${Code}.next` | keyof typeof ko, string>> = ko
const useWords = catalog(words, en)

/** A code that has several causes, with the one that the server named. */
type Caused = Exclude<Extract<keyof typeof ko, `${string} ${string}`>, `${string}.next`>
const isCaused = (text: string): text is Caused => text.includes(' ') && Object.hasOwn(words, `${text}.next`)

export interface Told {
  readonly what: string
  readonly next: string
}

/** A code that is newer than this page is told as an error of the server. */
export function useErrorWords(): (code: string, cause?: string | null) => Told {
  const say = useWords()
  return (code, cause = null) => {
    const caused = `${code} ${cause}`
    if (isCaused(caused)) return { what: say(caused), next: say(`${caused}.next`) }
    const known = Object.hasOwn(words, `${code}.next`) ? (code as Code) : 'INTERNAL_ERROR'
    return { what: say(known), next: say(`${known}.next`) }
  }
}
