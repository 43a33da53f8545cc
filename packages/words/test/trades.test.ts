/**
 * No word of another trade reaches a person of a center: every sentence that a center's people read, in all seven trades
 * and both languages, filled with the words of the trade. Each trade's drafts and action types are its own.
 */
import { globSync, readFileSync } from 'node:fs'
import { termNames as declared } from '@countersign/contract/center-settings.ts'
import { verticals } from '@countersign/contract/enums.ts'
import { compose } from '@countersign/server/mail/compose.ts'
import { mailNames, sampleOf } from '@countersign/server/mail/templates.ts'
import { startingTemplates } from '@countersign/server/verticals/action-types.ts'
import { describe, expect, it } from 'vitest'
import { strangers, wordPattern } from '../../../tests/support/strangers.ts'
import { fill, type Language } from '../say.ts'
import { type TermName, type Terms, termNames, termValues, withOwnTerms } from '../terms.ts'
import { tradeTerms } from '../trades.ts'

const words = new URL('../', import.meta.url).pathname
const languages: readonly Language[] = ['ko', 'en']

/** Operators and partners see centers of all trades, an account belongs to several, and the rest speaks to developers and auditors. */
const ofNoCenter = [
  'cli',
  'commands',
  'me',
  'help',
  'hook',
  'verifier',
  'certificate',
  'problems',
  'summary',
  'operator',
  'partner',
  'new-center',
]
const ofNoPage = ['terms', 'trades', 'workflows', 'actions']

type Tree = string | readonly Tree[] | { readonly [key: string]: Tree }
/** A key that ends with a trade's name is said in centers of that trade only. */
const sentencesIn = (tree: Tree, trade?: string): readonly string[] =>
  typeof tree === 'string'
    ? [tree]
    : Object.entries(tree)
        .filter(([key]) => !trade || !verticals.some((each) => each !== trade && key.endsWith(each)))
        .flatMap(([, texts]) => sentencesIn(texts, trade))
const readArea = (language: Language, area: string): Tree =>
  JSON.parse(readFileSync(`${words}${language}/${area}.json`, 'utf8')) as Tree
const areas = globSync('ko/*.json', { cwd: words })
  .map((file) => file.slice('ko/'.length, -'.json'.length))
  .filter((area) => !ofNoCenter.includes(area) && !ofNoPage.includes(area))

/** With a mark in the place of every other value. */
const said = (sentence: string, terms: Terms, language: Language): string =>
  fill(sentence, termValues(terms, language), String, () => '…') ?? ''

const cases = verticals.flatMap((trade) => languages.map((language) => [trade, language] as const))

describe.each(cases)('%s in %s', (trade, language) => {
  const terms = tradeTerms(trade)
  const inTrade = (sentences: readonly string[]) =>
    strangers(
      trade,
      language,
      sentences.map((each) => said(each, terms, language)),
    )

  it.each(areas)('%s has no word of another trade', (area) => {
    expect(inTrade(sentencesIn(readArea(language, area), trade))).toEqual([])
  })

  it('drafts have no word of another trade', () => {
    const { workflows, ...frame } = readArea(language, 'workflows') as {
      readonly workflows: { readonly [key: string]: Tree }
    }
    const own = Object.entries(workflows).filter(([key]) => key.startsWith(`${trade}.`))
    expect(own.length).toBeGreaterThan(1)
    expect(inTrade([...sentencesIn(frame as Tree), ...own.flatMap(([, texts]) => sentencesIn(texts))])).toEqual([])
  })

  it('action types have no word of another trade', () => {
    const texts = startingTemplates(trade).flatMap(({ name, sentence, labels }) => [
      name,
      sentence,
      ...Object.values(labels),
    ])
    expect(
      strangers(
        trade,
        language,
        texts.map((text) => (text?.[language] ?? '').replace(/\{[^}]*\}/g, '…')),
      ),
    ).toEqual([])
  })

  it('mails have no word of another trade', () => {
    const mails = mailNames
      .filter((name) => name !== 'partnerInvitation')
      .map((name) => compose(sampleOf(name), language, { timeZone: 'Asia/Seoul', terms }))
    expect(
      strangers(
        trade,
        language,
        mails.flatMap(({ subject, text, button = '' }) => [subject, text, button]),
      ),
    ).toEqual([])
  })

  it('no place is left open and no particle undecided', () => {
    const texts = areas
      .flatMap((area) => sentencesIn(readArea(language, area)))
      .map((each) => said(each, terms, language))
    expect(texts.filter((text) => /\{term\.|\(를\)|\(가\)|\(는\)|\(와\)|undefined/.test(text))).toEqual([])
  })
})

it('a planted word is found in both languages', () => {
  expect(strangers('pharmacy', 'ko', ['강사를 고르세요', '약사를 고르세요', '환자', '이용자 등록'])).toHaveLength(2)
  expect(strangers('pharmacy', 'en', ['Choose an instructor', 'Patients', 'Two therapists'])).toHaveLength(2)
  expect(strangers('education', 'en', ['Add a child', 'Add patients', 'clients'])).toHaveLength(2)
})

it('a center of its own words has no word of the trade left', () => {
  const own: Terms = Object.fromEntries(termNames.map((name) => [name, { ko: '고유', en: 'thing' }])) as Record<
    TermName,
    { ko: string; en: string }
  >
  const terms = withOwnTerms(tradeTerms('rehabilitation'), own)
  for (const language of languages) {
    const texts = areas
      .flatMap((area) => sentencesIn(readArea(language, area)))
      .map((each) => said(each, terms, language))
    const word = wordPattern(language, tradeTerms('rehabilitation').instructor[language])
    expect(texts.filter((text) => word.test(text))).toEqual([])
  }
})

it('the contract, the neutral words and all trades have the same terms', () => {
  expect([...declared]).toEqual(termNames)
  for (const trade of verticals)
    for (const name of termNames) expect(Object.values(tradeTerms(trade)[name]).every(Boolean)).toBe(true)
})
