import en from '@countersign/words/en/developers.json' with { type: 'json' }
import ko from '@countersign/words/ko/developers.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useDeveloperWords = catalog(ko, en)
export type DeveloperWords = ReturnType<typeof useDeveloperWords>
