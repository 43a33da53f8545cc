/**
 * Puts values into the sentences of a catalog. Pure: no state, no language of its own.
 *
 * | in a sentence | becomes |
 * | --- | --- |
 * | `{name}`, `{list.length}` | the value |
 * | `{name, 이가}` | the value with the Korean particle that fits its last sound |
 * | `{name, many}` | a form of an English noun, the value `name many` (terms.ts makes them): `a`, `many`, `A`, `Many`, `One` |
 * | `{-name}`, `{+name}` | the negated number, the number with its sign |
 * | `{?name}` | the value; 0 counts as absent |
 * | `[[text]]` | the text, or nothing where one of its values is absent |
 * | `[[text\|other]]` | the first of the texts that has all its values |
 *
 * A key with `_one` is said instead of the key itself where `count` is one in that language. A value is absent where it
 * is null or missing. Values may hold any characters: only the sentence is parsed.
 */
import { type Particle, particles, withParticle } from './particles.ts'

export type Language = 'ko' | 'en'
export type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [name: string]: Value }
export type Values = { readonly [name: string]: Value }
/** How a value is written; `String` unless given. */
export type Show = (value: Value) => string

/** One area in both languages. Korean has the keys; English may have a form for one beside them. */
export interface Catalog<K extends string> {
  readonly ko: Readonly<Record<K, string>>
  readonly en: Readonly<Record<K, string>>
}

export type Say<K extends string> = (key: K, values?: Values) => string

const plurals = { ko: new Intl.PluralRules('ko'), en: new Intl.PluralRules('en') }

/** The form of the sentence that fits `count`. */
export function sentenceOf<K extends string>(
  catalog: Catalog<K>,
  language: Language,
  key: K,
  { count }: Values,
): string {
  const words: Readonly<Record<string, string | undefined>> = catalog[language]
  // A number that is already written, as 1,234, is read too.
  const form = count == null ? undefined : words[`${key}_${plurals[language].select(Number(count))}`]
  return form ?? (words[key] as string)
}

/** The place of an absent value outside of brackets stays. */
export function say<K extends string>(
  catalog: Catalog<K>,
  language: Language,
  key: K,
  values: Values = {},
  show?: Show,
): string {
  return fill(sentenceOf(catalog, language, key, values), values, show, String) as string
}

/** `always`: values of every sentence. */
export const saying =
  <K extends string>(catalog: Catalog<K>, language: Language, show?: Show, always?: Values): Say<K> =>
  (key, values) =>
    say(catalog, language, key, always ? { ...always, ...values } : values, show)

/** Null where a value outside of brackets is absent, unless `absent` says what stands in its place. */
export function fill(
  sentence: string,
  values: Values,
  show: Show = String,
  absent: (place: string) => string | null = () => null,
): string | null {
  if (!sentence.includes('{')) return sentence
  const tokens = sentence.split(/(\[\[|\]\]|\||\{[^}]*\})/)
  let position = 0
  const firstComplete = (isInside: boolean): string | null => {
    const texts: (string | null)[] = ['']
    for (; position < tokens.length && !(isInside && tokens[position] === ']]'); position++) {
      let text: string | null = tokens[position] as string
      if (text === '|' && isInside) {
        texts.push('')
        continue
      }
      if (text === '[[') {
        position++
        text = firstComplete(true) ?? ''
      } else if (text.startsWith('{')) text = placeOf(text, values, show) ?? (isInside ? null : absent(text))
      const before = texts.pop() ?? null
      texts.push(before === null || text === null ? null : before + text)
    }
    return texts.find((text) => text !== null) ?? null
  }
  return firstComplete(false)
}

/** What is no place, as `{ }`, stays as it is. */
function placeOf(text: string, values: Values, show: Show): string | null {
  const [place, mark, path = '', form] = /^\{([-+?]?)([\w.]+)(?:, (\p{L}+))?\}$/u.exec(text) ?? []
  if (!place) return text
  const isParticle = form !== undefined && Object.hasOwn(particles, form)
  const value = (form === undefined || isParticle ? path : `${path} ${form}`)
    .split('.')
    .reduce<Value>((from, member) => (from as Values | null | undefined)?.[member], values)
  if (value == null || (mark === '?' && value === 0)) return null
  const shown = show(mark === '-' ? -(value as number) : value)
  if (mark === '+' && (value as number) >= 0) return `+${shown}`
  return isParticle ? withParticle(shown, form as Particle) : shown
}
