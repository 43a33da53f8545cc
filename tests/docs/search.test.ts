/** What readers type into the search of the documentation finds the page that answers them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { allPages } from '../../apps/docs/pages.ts'
import { searchIndex } from '../../apps/docs/search-index.ts'
import { indexOf, search } from '../../apps/docs/site/ranking.ts'
import { searched } from './searched.ts'

const pages = allPages()
const slugs = new Set(pages.map(({ slug }) => slug))

describe.each(['en', 'ko'] as const)('the search in %s', (language) => {
  let index: Awaited<ReturnType<typeof indexOf>>
  beforeAll(async () => {
    index = await indexOf(searchIndex(pages, language))
  }, 60_000)
  const found = (query: string) => search(index, query).map(({ address }) => address.replace(/^\/docs(\/ko)?\/?/, ''))
  const first = (query: string) => found(query)[0]?.split('#')[0]

  it('finds the page first for at least 41 of 42 queries, and each query names a page that exists', () => {
    expect(searched[language]).toHaveLength(42)
    expect(searched[language].flatMap(([, ...wanted]) => wanted).filter((slug) => !slugs.has(slug))).toEqual([])
    const missed = searched[language].filter(([query, ...wanted]) => !wanted.includes(first(query) ?? ''))
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(1)
  })

  it('forgives words that occur nowhere', () => {
    expect(first('qqzzqq webhooks')).toContain('webhooks')
    expect(found('qqzzqq')).toEqual([])
  })

  it('shows a page at most three times, and no address twice', () => {
    for (const [query] of searched[language]) {
      const pagesShown = found(query).map((address) => address.split('#')[0])
      expect(new Set(found(query)).size).toBe(pagesShown.length)
      for (const page of pagesShown) expect(pagesShown.filter((each) => each === page).length).toBeLessThanOrEqual(3)
    }
  })
})

describe('words', () => {
  let english: Awaited<ReturnType<typeof indexOf>>
  let korean: typeof english
  beforeAll(async () => {
    english = await indexOf(searchIndex(pages, 'en'))
    korean = await indexOf(searchIndex(pages, 'ko'))
  }, 60_000)
  const pageOf = (index: typeof english, query: string) => search(index, query)[0]?.address.split('#')[0]

  it.each([
    ['passkey', 'passkeys'],
    ['webhooks', 'webhook'],
    ['idempotency', 'idempotancy'],
  ])('%s and %s find the same page', (right, other) => {
    expect(pageOf(english, other)).toBe(pageOf(english, right))
  })

  it.each([
    ['구성원 초대', '구성원을 초대하는 방법'],
    ['백업 복원', '백업에서 복원하기'],
  ])('%s and %s find the same page', (right, other) => {
    expect(pageOf(korean, other)).toBe(pageOf(korean, right))
  })
})
