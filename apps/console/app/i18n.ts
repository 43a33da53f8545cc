/**
 * Words in Korean and English. Each area has a catalog of its own, which loads with the area. A key that one language
 * lacks does not compile; `test/words.test.ts` finds unused keys.
 */
import i18n from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { type Particle, particles, withParticle } from './josa.ts'
import { keep } from './kept.ts'

export type Language = 'ko' | 'en'
export type Values = Readonly<Record<string, string | number>>
export type Say<K extends string> = (key: K, values?: Values) => string
/** A label that is needed before its area has loaded. */
export type Label = Readonly<Record<Language, string>>

void i18n.use(initReactI18next).init({
  lng: document.documentElement.lang,
  fallbackLng: 'ko',
  keySeparator: false,
  nsSeparator: false,
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  resources: {},
  initAsync: false,
})
for (const particle of Object.keys(particles) as Particle[]) {
  i18n.services.formatter?.add(particle, (value) => withParticle(String(value), particle))
}

/** English may have a form for one: `items_one` beside `items`, chosen by `count`. */
type Other<W> = Readonly<Record<keyof W, string>> & { readonly [K in `${keyof W & string}_one`]?: string }

/** `{{name}}` is replaced; `{{name, 이가}}` adds the particle. */
export function catalog<const W extends Readonly<Record<string, string>>>(name: string, ko: W, en: Other<W>) {
  i18n.addResourceBundle('ko', name, ko)
  i18n.addResourceBundle('en', name, en)
  return (): Say<keyof W & string> => useTranslation(name).t as unknown as Say<keyof W & string>
}

export function useLanguage(): Language {
  return useTranslation().i18n.language === 'en' ? 'en' : 'ko'
}

/** Outside of components; a component uses `useLanguage`. */
export const spoken = (): Language => (i18n.language === 'en' ? 'en' : 'ko')

const key = 'countersign-language'

export async function speak(language: Language): Promise<void> {
  keep(key, language)
  document.documentElement.lang = language
  await i18n.changeLanguage(language)
}

// Another tab changed it.
addEventListener('storage', (event) => {
  if (event.key === key && (event.newValue === 'ko' || event.newValue === 'en')) void speak(event.newValue)
})
