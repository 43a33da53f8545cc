/**
 * Puts values into the sentences of a catalog. Pure: no state, no language of its own.
 *
 * | in a sentence | becomes |
 * | --- | --- |
 * | `{name}` | the value |
 * | `{name, 이가}` | the value with the Korean particle that fits its last sound |
 *
 * A key with `_one` is said instead of the key itself where `count` is one in that language. A value is never looked
 * into for further places.
 */
import { type Particle, withParticle } from './particles.ts'

export type Language = 'ko' | 'en'
export type Values = Readonly<Record<string, string | number>>

/** One area in both languages. Korean has the keys; English may have a form for one beside them. */
export interface Catalog<K extends string> {
  readonly ko: Readonly<Record<K, string>>
  readonly en: Readonly<Record<K, string>>
}

export type Say<K extends string> = (key: K, values?: Values) => string

export const catalogOf = <W extends Readonly<Record<string, string>>>(
  ko: W,
  en: Readonly<Record<keyof W, string>>,
): Catalog<keyof W & string> => ({ ko, en })

const plurals = { ko: new Intl.PluralRules('ko'), en: new Intl.PluralRules('en') }

export const fill = (sentence: string, values: Values): string =>
  sentence.replaceAll(/\{(\w+)(?:, (\p{L}+))?\}/gu, (place, name: string, particle?: Particle) => {
    if (!Object.hasOwn(values, name)) return place
    const text = String(values[name])
    return particle ? withParticle(text, particle) : text
  })

export function say<K extends string>(catalog: Catalog<K>, language: Language, key: K, values: Values = {}): string {
  const words: Readonly<Record<string, string | undefined>> = catalog[language]
  const { count } = values
  const form = typeof count === 'number' ? words[`${key}_${plurals[language].select(count)}`] : undefined
  return fill(form ?? (words[key] as string), values)
}
