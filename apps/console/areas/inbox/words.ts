import en from '@countersign/words/en/inbox.json' with { type: 'json' }
import ko from '@countersign/words/ko/inbox.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useInboxWords = catalog(ko, en)
