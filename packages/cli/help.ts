/** The pages of help that are written out. */
import en from '@countersign/words/en/help.json' with { type: 'json' }
import ko from '@countersign/words/ko/help.json' with { type: 'json' }
import type { Language } from './words.ts'

export const help = (page: keyof typeof en, language: Language): string => `${{ en, ko }[language][page].join('\n')}\n`
