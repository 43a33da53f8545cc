import en from '@countersign/words/en/stop.json' with { type: 'json' }
import ko from '@countersign/words/ko/stop.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useStopWords = catalog(ko, en)
export type StopWords = ReturnType<typeof useStopWords>
