/** A mail in Korean and in English. Pure: a template turns facts into words. */
import type { MailText } from '../html.ts'

export type MailLanguage = 'ko' | 'en'

interface Words {
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** Facts are stored as JSON until the mail is sent. */
export interface Template<Facts> {
  readonly ko: (facts: Facts) => Words
  readonly en: (facts: Facts) => Words
  /** For the preview in development. */
  readonly sample: Facts
}

/** In Korean where a locale begins with `ko`, in English elsewhere. */
export const languageOf = (locale: string): MailLanguage => (locale.startsWith('ko') ? 'ko' : 'en')

/** Without a language in both: Korean, then English. */
export function write<Facts>(template: Template<Facts>, language: MailLanguage | null, facts: Facts): MailText {
  if (language === null) {
    const [korean, english] = [write(template, 'ko', facts), write(template, 'en', facts)]
    return { subject: `${korean.subject} / ${english.subject}`, text: `${korean.text}\n${english.text}` }
  }
  const { subject, paragraphs } = template[language](facts)
  return { language, subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** Text of a caller as one short line without control characters, so that it cannot imitate a paragraph of ours. */
export const line = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

export const minute = (at: string): string => `${line(at).slice(0, 16).replace('T', ' ')} UTC`
