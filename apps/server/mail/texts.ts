/** The words of a text message. Its facts are ours or codes: whoever holds the phone may not be the person meant. */
import en from '@countersign/words/en/texts.json' with { type: 'json' }
import ko from '@countersign/words/ko/texts.json' with { type: 'json' }
import { type Language, say } from '@countersign/words/say.ts'
import type { TermValues } from '@countersign/words/terms.ts'

export type TextWritten =
  | { readonly text: 'code'; readonly facts: { readonly code: string } }
  /** To a number with which somebody else signs in already. */
  | { readonly text: 'taken'; readonly facts: Readonly<Record<string, never>> }
  /** To a number that was removed or replaced. */
  | { readonly text: 'removed'; readonly facts: Readonly<Record<string, never>> }
  | { readonly text: 'decisionsWait'; readonly facts: { readonly center: string; readonly url: string } }
  /** `when`: written in the zone of the center and the language of the text, as are its words. */
  | {
      readonly text: 'appointmentMoved' | 'appointmentCanceled' | 'appointmentTomorrow' | 'placeOffered'
      readonly facts: { readonly center: string; readonly when: string; readonly url: string } & TermValues
    }

/** Without a language in Korean: only Korean numbers are reached. */
export const composeText = ({ text, facts }: TextWritten, language: Language | null, service: string): string =>
  say({ ko, en }, language ?? 'ko', text, { ...facts, service })
