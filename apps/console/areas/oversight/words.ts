import en from '@countersign/words/en/oversight.json' with { type: 'json' }
import ko from '@countersign/words/ko/oversight.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useOversightWords = catalog(ko, en)
