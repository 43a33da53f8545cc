import en from '@countersign/words/en/center.json' with { type: 'json' }
import ko from '@countersign/words/ko/center.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const centerWords = { ko, en }
export const useCenterWords = catalog(ko, en)
