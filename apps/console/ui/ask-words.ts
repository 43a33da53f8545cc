import en from '@countersign/words/en/ask.json' with { type: 'json' }
import ko from '@countersign/words/ko/ask.json' with { type: 'json' }
import { catalog } from '../app/i18n.ts'

export const useAskWords = catalog(ko, en)
