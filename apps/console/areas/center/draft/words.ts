import en from '@countersign/words/en/drafts.json' with { type: 'json' }
import ko from '@countersign/words/ko/drafts.json' with { type: 'json' }
import { catalog } from '../../../app/i18n.ts'

export const useDraftWords = catalog(ko, en)
export type DraftWord = keyof typeof ko
export const isDraftWord = (key: string): key is DraftWord => Object.hasOwn(ko, key)
