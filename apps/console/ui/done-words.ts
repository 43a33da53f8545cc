/** What the messages after a change say. */
import en from '@countersign/words/en/done.json' with { type: 'json' }
import ko from '@countersign/words/ko/done.json' with { type: 'json' }
import { catalog } from '../app/i18n.ts'

export const useDoneWords = catalog(ko, en)
