/** The words of a mail: its subject and its paragraphs, `NAME.subject` and `NAME.1`, `NAME.2`… of the catalog. Pure. */
import en from '@countersign/words/en/mail.json' with { type: 'json' }
import ko from '@countersign/words/ko/mail.json' with { type: 'json' }
import { fill, type Language, type Say, say, sentenceOf, type Value, type Values } from '@countersign/words/say.ts'
import type { MailText } from './html.ts'
import { derived, type MailName, type Written } from './templates.ts'

type MailWord = keyof typeof ko
const catalog = { ko, en }
const paragraphsOf = (mail: MailName): MailWord[] =>
  (Object.keys(ko) as MailWord[]).filter((key) => new RegExp(`^${mail}\\.\\d+$`).test(key))

/** In Korean where a locale begins with `ko`, in English elsewhere. */
export const languageOf = (locale: string): Language => (locale.startsWith('ko') ? 'ko' : 'en')

/** Without a language in both: Korean, then English. A paragraph whose values are absent is left out. */
export function compose(written: Written, language: Language | null): MailText {
  if (language === null) {
    const [korean, english] = [compose(written, 'ko'), compose(written, 'en')]
    return { subject: `${korean.subject} / ${english.subject}`, text: `${korean.text}\n${english.text}` }
  }
  const { mail, facts } = written
  const values = valuesOf({ ...facts, ...derived(written) }, (key) => say(catalog, language, key))
  const paragraphs = paragraphsOf(mail).map((key) => fill(sentenceOf(catalog, language, key, values), values))
  const text = paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')
  return { language, subject: say(catalog, language, `${mail}.subject`, values), text: `${text}\n` }
}

/** Text of a caller as one short line without control characters, so that it cannot imitate a paragraph of ours. */
const line = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

const minute = (at: string): string => `${line(at).slice(0, 16).replace('T', ' ')} UTC`

/** A name of the API in words; a chain of a newer version stays as it is called. */
const named = (kind: 'role' | 'chain') => (names: string, word: Say<MailWord>) =>
  names
    .split(',')
    .map((name) => (Object.hasOwn(ko, `${kind}.${name}`) ? word(`${kind}.${name}` as MailWord) : line(name)))
    .join(', ')

/** Facts by their name that are not written as one line. */
const writing: Readonly<Record<string, (fact: string, word: Say<MailWord>) => string>> = {
  ...Object.fromEntries(['url', 'urls', 'signInUrl', 'passwordUrl'].map((name) => [name, String])),
  at: minute,
  countsFrom: minute,
  role: named('role'),
  domain: named('chain'),
}

const valuesOf = (facts: Readonly<Record<string, Value>>, word: Say<MailWord>): Values =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? (writing[name] ?? line)(fact, word) : fact,
    ]),
  )
