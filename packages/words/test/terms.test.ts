/** Every text that a person reads calls a thing by the word of the glossary. */
import { expect, it } from 'vitest'
import { glossary } from '../../../tools/glossary-files.ts'
import { catalogs, descriptions, messages, pages, prose, type Text } from '../../../tools/texts.ts'

const rules = [
  ...glossary.terms.flatMap((term) => (term.never ?? []).map((never) => ({ ...never, instead: term[never.language] }))),
  ...glossary.phrases.map(({ never, ...rest }) => ({ ...rest, word: never, in: undefined, unless: undefined })),
]

/** English words whole and in the plural, Korean ones anywhere: particles follow them. */
function pattern(language: 'en' | 'ko', word: string): RegExp {
  const plain = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return language === 'en' ? new RegExp(`\\b${plain}s?\\b`, 'i') : new RegExp(plain)
}

function offenders(texts: readonly Text[]): string[] {
  return rules.flatMap(({ language, word, instead, in: kinds, unless = [] }) => {
    const wrong = pattern(language, word)
    return texts
      .filter((text) => text.language === language && (kinds?.includes(text.kind) ?? true))
      .filter(({ text }) => wrong.test(unless.reduce((left, allowed) => left.replaceAll(allowed, ''), text)))
      .map(({ where, text }) => {
        const at = text.search(wrong)
        return `${where}: "${word}" (${instead}) in: ${text.slice(Math.max(0, at - 30), at + 40).replaceAll('\n', ' ')}`
      })
  })
}

it.each([
  ['catalog', catalogs, 2000],
  ['docs', pages, 80],
  ['api', descriptions, 1000],
  ['messages', messages, 300],
] as const)('texts of the kind %s use the words of the glossary', (_, texts, least) => {
  const all = texts().map((each) => ({ ...each, text: prose(each.text) }))
  expect(all.length).toBeGreaterThan(least)
  expect(offenders(all)).toEqual([])
})

it('a planted word is found in every kind of text', () => {
  const planted = (kind: Text['kind'], language: Text['language'], text: string) => ({
    kind,
    language,
    text,
    where: kind,
  })
  expect(
    offenders([
      planted('catalog', 'en', 'Look into your mail'),
      planted('catalog', 'ko', '정책을 저장하십시오'),
      planted('docs', 'ko', '센터의 회원'),
      planted('api', 'en', 'Fingerprints of the key'),
      planted('messages', 'en', 'You are logged out. Log in.'),
    ]).map((found) => found.split(':')[0]),
  ).toEqual(expect.arrayContaining(['catalog', 'docs', 'api', 'messages']))
  expect(offenders([planted('docs', 'ko', '회원님의 멤버십'), planted('docs', 'en', 'the rules of a game')])).toEqual(
    [],
  )
})

it('a term has one word in each language, and no word is both used and forbidden', () => {
  for (const language of ['en', 'ko'] as const) {
    const words = glossary.terms.map((term) => term[language])
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    const forbidden = glossary.terms.flatMap(({ never = [] }) =>
      never.filter((each) => each.language === language && !each.in),
    )
    expect(forbidden.filter(({ word }) => words.includes(word))).toEqual([])
  }
})
