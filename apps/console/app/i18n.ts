/** The language of this browser. Each area has a catalog of its own in `@countersign/words`, which loads with the area. */
import { type Catalog, type Language, type Say, saying } from '@countersign/words/say.ts'
import { useSyncExternalStore } from 'react'
import { keep } from './kept.ts'

export type { Language, Say } from '@countersign/words/say.ts'
/** A label that is needed before its area has loaded. */
export type Label = Readonly<Record<Language, string>>

const spoken = (): Language => (document.documentElement.lang === 'en' ? 'en' : 'ko')
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, spoken)

/** Makes the hook that says the words of an area. What it returns stays the same until the language changes. */
export function catalog<W extends Readonly<Record<string, string>>>(ko: W, en: Readonly<Record<keyof W, string>>) {
  const words: Catalog<keyof W & string> = { ko, en }
  const said = { ko: saying(words, 'ko'), en: saying(words, 'en') }
  return (): Say<keyof W & string> => said[useLanguage()]
}

const key = 'countersign-language'

export function speak(language: Language): void {
  keep(key, language)
  document.documentElement.lang = language
  for (const tell of listeners) tell()
}

// Another tab changed it.
addEventListener('storage', (event) => {
  if (event.key === key && (event.newValue === 'ko' || event.newValue === 'en')) speak(event.newValue)
})
