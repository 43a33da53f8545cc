/** The words of a mail: its subject and its paragraphs, `NAME.subject` and `NAME.1`, `NAME.2`… of the catalog. Pure. */
import en from '@countersign/words/en/mail.json' with { type: 'json' }
import ko from '@countersign/words/ko/mail.json' with { type: 'json' }
import { fill, type Language, type Say, say, sentenceOf, type Value, type Values } from '@countersign/words/say.ts'
import { neutralTerms, type Terms, termValues } from '@countersign/words/terms.ts'
import type { MailText } from './html.ts'
import { localTime, zoneName } from './local-time.ts'
import { derived, type MailName, type Written } from './templates.ts'

type MailWord = keyof typeof ko
const catalog = { ko, en }
const paragraphsOf = (mail: MailName): MailWord[] =>
  (Object.keys(ko) as MailWord[]).filter((key) => new RegExp(`^${mail}\\.\\d+$`).test(key))

/** In Korean where a locale begins with `ko`, in English elsewhere. */
export const languageOf = (locale: string): Language => (locale.startsWith('ko') ? 'ko' : 'en')

/** What the center of a mail is known by: its time zone, and what it calls its people. */
export interface CenterVoice {
  /** Null for a partner, whose centers have each their own. */
  readonly timeZone: string | null
  readonly terms: Terms
  /** Who writes where no center does; ours by default. */
  readonly service?: string
}

export const ownService = 'Countersign'

/**
 * Without a language in both: Korean, then English. A paragraph whose values are absent is left out. Times are those of the zone, of
 * which the newest facts have one of their own.
 */
export function compose(written: Written, language: Language | null, center: CenterVoice | null = null): MailText {
  if (language === null) {
    const [korean, english] = [compose(written, 'ko', center), compose(written, 'en', center)]
    return { subject: `${korean.subject} / ${english.subject}`, text: `${korean.text}\n${english.text}` }
  }
  const { mail, facts } = written
  const zone = 'timeZone' in facts ? facts.timeZone : (center?.timeZone ?? null)
  const terms = termValues(center?.terms ?? neutralTerms, language)
  const word: Say<MailWord> = (key) => say(catalog, language, key, terms)
  const values: Values = {
    ...terms,
    service: line(center?.service ?? ownService),
    ...valuesOf({ ...facts, ...derived(written, language) }, word, { language, zone }),
  }
  const paragraphs = paragraphsOf(mail).map((key) => fill(sentenceOf(catalog, language, key, values), values))
  const button = buttonOf(mail, language, values)
  const foot = fill(say(catalog, language, 'settings.foot'), values)
  const text = [...paragraphs, button && `${button}:\n${values.url}`, foot].filter((each) => each !== null).join('\n\n')
  const named = say(catalog, language, `${mail}.subject`, values)
  // As Korean offices expect it, the sender stands before the subject, where no center does.
  const subject = language === 'ko' && !named.startsWith('[') ? `[${values.service}] ${named}` : named
  return { language, subject, text: `${text}\n`, ...(button !== null && { button: `${button}:` }) }
}

/** The words of the link to the page that the mail is about. */
function buttonOf(mail: MailName, language: Language, values: Values): string | null {
  const key = `${mail}.button`
  return Object.hasOwn(ko, key) ? fill(sentenceOf(catalog, language, key as MailWord, values), values) : null
}

/** Text of a caller as one short line without control characters, so that it cannot imitate a paragraph of ours. */
const line = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

const minute = (at: string): string => `${line(at).slice(0, 16).replace('T', ' ')} UTC`

interface Local {
  readonly language: Language
  readonly zone: string | null
}

/** With the name of the zone; times without one are in UTC. */
const moment = (at: string, { language, zone }: Local): string => {
  if (zone === null || Number.isNaN(Date.parse(at))) return minute(at)
  return `${localTime(at, zone, language)} (${zoneName(at, zone, language)})`
}

/** Beside another time that has the name of the zone. */
const bareMoment = (at: string, { language, zone }: Local): string =>
  zone === null || Number.isNaN(Date.parse(at)) ? minute(at) : localTime(at, zone, language)

const lists = {
  ko: { format: (names: Iterable<string>) => [...names].join(', ') },
  en: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
}

/** Names of the API in words, separated by commas there; a chain of a newer version stays as it is called. */
const named =
  (kind: 'role' | 'chain') =>
  (names: string, word: Say<MailWord>, { language }: Local): string => {
    const words = names
      .split(',')
      .map((name) => (Object.hasOwn(ko, `${kind}.${name}`) ? word(`${kind}.${name}` as MailWord) : line(name)))
    return lists[language].format(words)
  }

/** Facts by their name that are not written as one line. */
const writing: Readonly<Record<string, (fact: string, word: Say<MailWord>, local: Local) => string>> = {
  ...Object.fromEntries(
    ['url', 'urls', 'lines', 'signInUrl', 'passwordUrl', 'settingsUrl'].map((name) => [name, String]),
  ),
  ...Object.fromEntries(
    ['at', 'countsFrom', 'startsAt'].map((name) => [name, (at: string, _: unknown, local: Local) => moment(at, local)]),
  ),
  ...Object.fromEntries(
    ['before', 'until', 'when'].map((name) => [name, (at: string, _: unknown, local: Local) => bareMoment(at, local)]),
  ),
  role: named('role'),
  domain: named('chain'),
}

const valuesOf = (facts: Readonly<Record<string, Value>>, word: Say<MailWord>, local: Local): Values =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? (writing[name] ?? line)(fact, word, local) : fact,
    ]),
  )
