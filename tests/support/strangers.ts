/** Finds the words of another trade in what the people of a center read. */
import { type Vertical, verticals } from '@countersign/contract/enums.ts'
import { forms } from '@countersign/words/nouns.ts'
import type { Language } from '@countersign/words/say.ts'
import { neutralTerms, termNames } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'

/** Words that mean something else too, such as the session of a browser or the families of a menu. */
const alsoElse: Readonly<Record<Language, readonly string[]>> = {
  ko: ['가족', '방문', '참여', '참석', '상담', '자녀'],
  en: ['session', 'appointment', 'attendance', 'attended', 'no-show', 'visit'],
}
/** In which a word is part of another one. */
const apart: Readonly<Record<Language, RegExp>> = {
  ko: /(?:가입|이용) ?담당자|이용자 ?지정/g,
  en: /parent(?:s)? company|client (?:library|program|ID|secret)s?/gi,
}

/** What earlier texts said everywhere, and all words of all trades, but for those of this one. */
function forbidden(trade: Vertical, language: Language): readonly string[] {
  const others = [...verticals.map(tradeTerms), neutralTerms].flatMap((terms) =>
    termNames.map((name) => terms[name][language]),
  )
  const always = { ko: ['강사', '아동', '선생님', '학습자'], en: ['instructor', 'learner', 'resident'] }[language]
  const own = termNames.map((name) => tradeTerms(trade)[name][language])
  return [...new Set([...others, ...always])].filter(
    (word) => !own.includes(word) && !alsoElse[language].includes(word),
  )
}

export function wordPattern(language: Language, word: string): RegExp {
  if (language === 'ko') return new RegExp(word)
  const plural = forms.many(word)
  return new RegExp(`\\b(?:${word}|${plural})\\b`, 'i')
}

/** The texts in which this trade finds a word that is not its own. */
export function strangers(trade: Vertical, language: Language, texts: readonly string[]): readonly string[] {
  const wrong = forbidden(trade, language).map((word) => [word, wordPattern(language, word)] as const)
  return texts.flatMap((text) => {
    const left = text.replaceAll(apart[language], '')
    return wrong.filter(([, found]) => found.test(left)).map(([word]) => `${word}: ${text}`)
  })
}
