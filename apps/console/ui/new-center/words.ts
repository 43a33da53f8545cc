import en from '@countersign/words/en/new-center.json' with { type: 'json' }
import ko from '@countersign/words/ko/new-center.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useNewCenterWords = catalog(ko, en)
