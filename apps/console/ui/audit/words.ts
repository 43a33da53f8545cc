import en from '@countersign/words/en/audit.json' with { type: 'json' }
import ko from '@countersign/words/ko/audit.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useAuditWords = catalog(ko, en)
