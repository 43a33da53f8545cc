/** The pages for people name menus and buttons as the console does, in both languages the same ones. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fill, type Language } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { describe, expect, it } from 'vitest'
import { withActors, withIdentity } from '../../apps/console/areas/policies/body.ts'
import { startingBody } from '../../apps/console/areas/policies/starting.ts'
import { factsOfEvent, matchPolicies } from '../../apps/server/governance/policies.ts'
import { requirementsOf } from '../../apps/server/governance/requirements.ts'
import { center, event } from '../../apps/server/governance/test/examples.ts'
import { read, root } from './blocks.ts'

const pages = ['approver', 'director', 'family', 'staff']
const fileOf = (language: Language, page: string) => `docs/${language === 'ko' ? 'ko/' : ''}people/${page}.md`

/** Texts of terminals, mails and the verifier are no names of the console. */
const elsewhere = new Set(['cli', 'commands', 'errors', 'hook', 'mail', 'problems', 'verifier'])

/** As a name is compared: a place for a value is a dot dot dot, and so is a number in its place. */
const plain = (text: string): string => text.replaceAll('’', "'").replaceAll(/\d[\d,]*/g, '…')

/** The pages speak as a rehabilitation center does. */
function namesOf(language: Language): ReadonlyMap<string, ReadonlySet<string>> {
  const terms = termValues(tradeTerms('rehabilitation'), language)
  const names = new Map<string, Set<string>>()
  for (const file of globSync(`packages/words/${language}/*.json`, { cwd: root })) {
    const area = basename(file, '.json')
    if (elsewhere.has(area)) continue
    for (const [key, text] of Object.entries(
      JSON.parse(readFileSync(root + file, 'utf8')) as Record<string, unknown>,
    )) {
      if (typeof text !== 'string') continue
      const name = plain(fill(text, terms, String, () => '…') ?? '')
      if (!/\p{L}/u.test(name)) continue
      names.set(name, (names.get(name) ?? new Set()).add(`${area}.${key}`))
    }
  }
  return names
}

/** `**Bookings > Hours and closed days**` is two. */
const boldOf = (text: string): string[] =>
  [...text.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, bold = '']) => bold.replaceAll(/\s+/g, ' ').split(' > '))

const names = { en: namesOf('en'), ko: namesOf('ko') }
const keysIn = (language: Language, page: string): ReadonlySet<string> =>
  new Set(boldOf(read(fileOf(language, page))).flatMap((bold) => [...(names[language].get(plain(bold)) ?? [])]))

it('there is a page for each of them in both languages, and no other', () => {
  for (const language of ['en', 'ko'] as const) {
    const found = globSync(fileOf(language, '*'), { cwd: root }).map((file) => basename(file, '.md'))
    expect(found.toSorted()).toEqual(pages)
  }
})

describe.each(pages)('the page for the %s', (page) => {
  it.each(['en', 'ko'] as const)('in %s: every bold name is in the catalog of the console', (language) => {
    const bold = boldOf(read(fileOf(language, page)))
    expect(bold.length).toBeGreaterThan(20)
    expect(bold.filter((name) => !names[language].has(plain(name)))).toEqual([])
  })

  it('names the same menus and buttons in both languages', () => {
    const alone = (language: Language, other: Language) =>
      boldOf(read(fileOf(language, page))).filter(
        (name) => ![...(names[language].get(plain(name)) ?? [])].some((key) => keysIn(other, page).has(key)),
      )
    expect({ onlyEnglish: alone('en', 'ko'), onlyKorean: alone('ko', 'en') }).toEqual({
      onlyEnglish: [],
      onlyKorean: [],
    })
  })

  it.each(['en', 'ko'] as const)('in %s: is short enough to be read at once', (language) => {
    expect(read(fileOf(language, page)).split('\n').length).toBeLessThanOrEqual(130)
  })
})

it('no Korean particle follows a bold name that ends in a mark: Markdown would show the asterisks', () => {
  const bold = pages.flatMap((page) => [...read(fileOf('ko', page)).matchAll(/\*\*([^*]+)\*\*(\p{L}?)/gu)])
  expect(bold.length).toBeGreaterThan(100)
  expect(bold.filter(([, name = '', next]) => next && /[^\p{L}\d]$/u.test(name)).map(([text]) => text)).toEqual([])
})

it('the first policy of the page for directors holds what the page tells a colleague to ask for', () => {
  const begun = startingBody('Refund', 'Refunds', { staff: 'Staff', director: 'Director' })
  const asked = (body: typeof begun, type: string) => {
    const policy = JSON.stringify({ scope: 'center', ...body })
    const row = { center_id: 1, id: '0198c5f2-7d1a-7c3e-9b40-000000000001', version: 1, policy, digest: '' }
    const decided = event({ action: { type, input: {} }, actor: { id: 'actor-1', type: 'human' } })
    return requirementsOf(matchPolicies([row], factsOfEvent(decided), center), null)?.lines.length ?? 0
  }
  for (const language of ['en', 'ko'] as const) {
    const [, type = ''] = /`([a-z.]+)`/.exec(read(fileOf(language, 'director'))) ?? []
    expect(asked(withIdentity(withActors(begun, ''), 'passkey'), type)).toBe(1)
    // Which is why the page has the requesters changed.
    expect(asked(begun, type)).toBe(0)
  }
})

it('a name that the console doesn’t have is found', () => {
  expect(names.en.has(plain('Approve it now'))).toBe(false)
  expect(names.en.has(plain('Keep reading · 12 left'))).toBe(true)
  expect(boldOf('Open **Bookings > Hours and\nclosed days**.')).toEqual(['Bookings', 'Hours and closed days'])
})
