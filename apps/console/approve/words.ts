/** The words of the approval page: those about one decision, as in the inbox, and its own. */
import approveEn from '@countersign/words/en/approve.json' with { type: 'json' }
import decisionEn from '@countersign/words/en/decision.json' with { type: 'json' }
import approveKo from '@countersign/words/ko/approve.json' with { type: 'json' }
import decisionKo from '@countersign/words/ko/decision.json' with { type: 'json' }
import { saying } from '@countersign/words/say.ts'
import { type Terms, termValues } from '@countersign/words/terms.ts'

export const words = { ko: { ...decisionKo, ...approveKo }, en: { ...decisionEn, ...approveEn } }

export type Word = keyof (typeof words)['ko']
/** In the words of a center. */
export const saidWith = (terms: Terms) => ({
  ko: saying(words, 'ko', undefined, termValues(terms, 'ko')),
  en: saying(words, 'en', undefined, termValues(terms, 'en')),
})
