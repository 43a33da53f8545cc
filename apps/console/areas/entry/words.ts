import en from '@countersign/words/en/entry.json' with { type: 'json' }
import ko from '@countersign/words/ko/entry.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useEntryWords = catalog(ko, en)
