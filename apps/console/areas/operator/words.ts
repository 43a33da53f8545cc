import en from '@countersign/words/en/operator.json' with { type: 'json' }
import ko from '@countersign/words/ko/operator.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useOperatorWords = catalog(ko, en)
