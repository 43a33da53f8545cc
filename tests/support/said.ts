/** The catalog as the people of a center read it: with the words of its trade. Other values are left open. */
import { fill, type Language } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'

type Trade = Parameters<typeof tradeTerms>[0]

/** Centers of a test are for education unless it says otherwise. */
export const saidIn = <W extends Readonly<Record<string, string>>>(
  words: W,
  language: Language,
  trade: Trade = 'education',
): W =>
  Object.fromEntries(
    Object.entries(words).map(([key, text]) => [
      key,
      text.includes('{term.') ? fill(text, termValues(tradeTerms(trade), language), String, (place) => place) : text,
    ]),
  ) as unknown as W
