import en from '@countersign/words/en/providers.json' with { type: 'json' }
import ko from '@countersign/words/ko/providers.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useProviderWords = catalog(ko, en)
