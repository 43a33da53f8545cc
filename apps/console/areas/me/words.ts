import en from '@countersign/words/en/me.json' with { type: 'json' }
import ko from '@countersign/words/ko/me.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useMeWords = catalog(ko, en)
