import en from '@countersign/words/en/ui.json' with { type: 'json' }
import ko from '@countersign/words/ko/ui.json' with { type: 'json' }
import { catalog, type Say } from '../app/i18n.ts'

export type UiWord = keyof typeof ko
export type UiSay = Say<UiWord>
export const useUiWords = catalog(ko, en)
