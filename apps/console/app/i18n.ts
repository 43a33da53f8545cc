/** Words in components. Each area has a catalog of its own in `@countersign/words`, which loads with the area. */
import { type Catalog, type Language, type Say, saying } from '@countersign/words/say.ts'
import { type Terms, termValues } from '@countersign/words/terms.ts'
import { languageStore } from './language.ts'
import { termsStore } from './terms.ts'
import { useStore } from './use-store.ts'

export type { Language, Say } from '@countersign/words/say.ts'

export const useLanguage = (): Language => useStore(languageStore)

/** Makes the hook that says the words of an area. What it returns stays the same until the language or the center changes. */
export function catalog<W extends Readonly<Record<string, string>>>(ko: W, en: Readonly<Record<keyof W, string>>) {
  const words: Catalog<keyof W & string> = { ko, en }
  const saidWith = lastOf((terms: Terms) => ({
    ko: saying(words, 'ko', undefined, termValues(terms, 'ko')),
    en: saying(words, 'en', undefined, termValues(terms, 'en')),
  }))
  return (): Say<keyof W & string> => saidWith(useStore(termsStore))[useLanguage()]
}

function lastOf<K, T>(make: (key: K) => T): (key: K) => T {
  let last: { readonly key: K; readonly made: T } | null = null
  return (key) => {
    if (last?.key !== key) last = { key, made: make(key) }
    return last.made
  }
}
