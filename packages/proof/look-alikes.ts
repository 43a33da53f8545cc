/** Letters that a reader takes for others, and characters that a reader does not see. Pure; a mark warns and refuses nothing. */

/** `mixed`: a word of several scripts. `lookAlike`: letters or digits that look like Latin ones. */
export type TextMark = 'mixed' | 'lookAlike' | 'rightToLeft' | 'hidden'

/** Scripts that stand in one word in ordinary Korean, Japanese and Chinese text. */
const together =
  /^(?:[\p{Script=Latin}\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}])$/u
const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Thai',
  'Devanagari',
].map((name) => new RegExp(`\\p{Script=${name}}`, 'u'))
const letter = /[\p{L}\p{M}]/u
const common = /[\p{Script=Common}\p{Script=Inherited}]/u
const wordPattern = /[\p{L}\p{M}\p{N}]+/gu

/** Cyrillic, Greek and Armenian letters that most fonts draw as Latin ones. */
const likeLatin = /^[аеорсухіїјѕԁӏһԛԝүѵзАВЕКМНОРСТУХІЈЅԌԚԜҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονυρικτϲϳօսոցհԱՕՍՏ]+$/u
/** Digits of other scripts, full-width and mathematical letters: NFKC or the eye makes ASCII of them. */
const otherForms = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{24b6}-\u{24e9}\u{2070}-\u{209c}]|(?![0-9])\p{Nd}/u
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061c\u200f\u202b\u202e\u2067]/u
const invisible =
  /(?![\n\r\t]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

function isMixed(word: string): boolean {
  const found = new Set<string>()
  for (const char of word) {
    if (!letter.test(char) || common.test(char)) continue
    found.add(together.test(char) ? 'together' : String(scripts.findIndex((script) => script.test(char))))
  }
  return found.size > 1
}

export function marksOf(text: string): readonly TextMark[] {
  const words = text.match(wordPattern) ?? []
  return [
    ...(words.some(isMixed) ? (['mixed'] as const) : []),
    ...(otherForms.test(text) || words.some((word) => likeLatin.test(word)) ? (['lookAlike'] as const) : []),
    ...(rightToLeft.test(text) ? (['rightToLeft'] as const) : []),
    ...(invisible.test(text) ? (['hidden'] as const) : []),
  ]
}
