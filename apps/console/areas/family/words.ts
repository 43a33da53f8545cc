import en from '@countersign/words/en/family.json' with { type: 'json' }
import ko from '@countersign/words/ko/family.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useFamilyWords = catalog(ko, en)
