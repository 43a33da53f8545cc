/** The words of each trade. Apart from terms.ts: pages get those of their center from the server. */
import en from '@countersign/words/en/trades.json' with { type: 'json' }
import ko from '@countersign/words/ko/trades.json' with { type: 'json' }
import { type Terms, termNames } from './terms.ts'

export const tradeTerms = (trade: keyof typeof ko): Terms =>
  Object.fromEntries(termNames.map((name) => [name, { ko: ko[trade][name], en: en[trade][name] }])) as unknown as Terms
