/** The language of this browser; `boot.js` has chosen it before the first paint. */
import type { Language } from '@countersign/words/say.ts'
import { keep } from './kept.ts'
import { storeOf } from './store.ts'

const key = 'countersign-language'
const isLanguage = (name: string | null): name is Language => name === 'ko' || name === 'en'

export const languageStore = storeOf<Language>(document.documentElement.lang === 'en' ? 'en' : 'ko')

export function speak(language: Language): void {
  keep(key, language)
  document.documentElement.lang = language
  languageStore.set(language)
}

// Another tab changed it.
addEventListener('storage', (event) => {
  if (event.key === key && isLanguage(event.newValue)) speak(event.newValue)
})
