import en from '@countersign/words/en/today.json' with { type: 'json' }
import ko from '@countersign/words/ko/today.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useTodayWords = catalog(ko, en)
