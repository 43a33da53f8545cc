/** Words in components. Each area has a catalog of its own in `@countersign/words`, which loads with the area. */
import { type Catalog, type Language, type Say, saying } from '@countersign/words/say.ts'
import { languageStore } from './language.ts'
import { useStore } from './use-store.ts'

export type { Language, Say } from '@countersign/words/say.ts'

export const useLanguage = (): Language => useStore(languageStore)

/** Makes the hook that says the words of an area. What it returns stays the same until the language changes. */
export function catalog<W extends Readonly<Record<string, string>>>(ko: W, en: Readonly<Record<keyof W, string>>) {
  const words: Catalog<keyof W & string> = { ko, en }
  const said = { ko: saying(words, 'ko'), en: saying(words, 'en') }
  return (): Say<keyof W & string> => said[useLanguage()]
}
