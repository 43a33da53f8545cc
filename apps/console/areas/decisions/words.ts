import en from '@countersign/words/en/decisions.json' with { type: 'json' }
import ko from '@countersign/words/ko/decisions.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useDecisionsWords = catalog(ko, en)
