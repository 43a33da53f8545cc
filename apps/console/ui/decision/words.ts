import en from '@countersign/words/en/decision.json' with { type: 'json' }
import ko from '@countersign/words/ko/decision.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useDecisionWords = catalog(ko, en)
