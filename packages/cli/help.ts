/** The pages of help that are written out. */
import en from '@countersign/words/en/help.json' with { type: 'json' }
import ko from '@countersign/words/ko/help.json' with { type: 'json' }
import { page } from './fold.ts'
import type { Language } from './words.ts'

export const help = (name: keyof typeof en, language: Language): string =>
  page(`${{ en, ko }[language][name].join('\n')}\n`)
