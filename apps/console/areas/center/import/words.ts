import en from '@countersign/words/en/import.json' with { type: 'json' }
import ko from '@countersign/words/ko/import.json' with { type: 'json' }
import { catalog } from '../../../app/i18n.ts'

export const useImportWords = catalog(ko, en)
