/** The words of the approval page. */
import en from '@countersign/words/en/approve.json' with { type: 'json' }
import ko from '@countersign/words/ko/approve.json' with { type: 'json' }
import { saying } from '@countersign/words/say.ts'

const catalog = { ko, en }

export type Word = keyof typeof ko
export const said = { ko: saying(catalog, 'ko'), en: saying(catalog, 'en') }
