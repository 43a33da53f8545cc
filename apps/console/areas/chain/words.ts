import en from '@countersign/words/en/chain.json' with { type: 'json' }
import ko from '@countersign/words/ko/chain.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useChainWords = catalog(ko, en)
