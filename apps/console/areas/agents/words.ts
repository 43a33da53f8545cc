import en from '@countersign/words/en/agents.json' with { type: 'json' }
import ko from '@countersign/words/ko/agents.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useAgentWords = catalog(ko, en)
