import en from '@countersign/words/en/dpus.json' with { type: 'json' }
import ko from '@countersign/words/ko/dpus.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useDpusWords = catalog(ko, en)
