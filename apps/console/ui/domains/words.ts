import en from '@countersign/words/en/domains.json' with { type: 'json' }
import ko from '@countersign/words/ko/domains.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useDomainWords = catalog(ko, en)
