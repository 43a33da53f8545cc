import en from '@countersign/words/en/policies.json' with { type: 'json' }
import ko from '@countersign/words/ko/policies.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const usePolicyWords = catalog(ko, en)
export type PolicyWords = ReturnType<typeof usePolicyWords>
