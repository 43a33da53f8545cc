import en from '@countersign/words/en/action-types.json' with { type: 'json' }
import ko from '@countersign/words/ko/action-types.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useTypeWords = catalog(ko, en)
