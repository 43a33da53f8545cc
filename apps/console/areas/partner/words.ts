import en from '@countersign/words/en/partner.json' with { type: 'json' }
import ko from '@countersign/words/ko/partner.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const usePartnerWords = catalog(ko, en)
