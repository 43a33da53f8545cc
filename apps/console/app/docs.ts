/** The documentation that the server offers, in the language of the console. */
import { useLanguage } from './i18n.ts'

export const useDocs = (): string => (useLanguage() === 'ko' ? '/docs/ko' : '/docs')
