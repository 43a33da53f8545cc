/** Each page says in one sentence what it has, and under its title for whom it is and how long it takes. */
import { describe, expect, it } from 'vitest'
import { allPages } from '../../apps/docs/pages.ts'

const pages = allPages()

/** Only names a reader, or isn't a sentence. */
const faultOf = (description: string, least: number): string | null => {
  if (description.length < least || description.length > 200) return `has ${description.length} characters`
  if (!/[.?!]$/.test(description)) return 'is no sentence'
  if (
    /^(Status|This (guide|page) is for|For [^:]*\.$)/.test(description) ||
    /위한 (문서|페이지|안내)입니다\.$/.test(description)
  )
    return 'only names a reader'
  return null
}

describe.each([
  ['en', 30],
  ['ko', 15],
] as const)('in %s', (language, least) => {
  const all = pages.filter((page) => page.language === language)

  it('every page has a description of its own, in one sentence', () => {
    expect(all.length).toBeGreaterThan(60)
    const faults = all.flatMap(({ slug, description }) => {
      const fault = faultOf(description, least)
      return fault ? [`${slug}: "${description}" ${fault}`] : []
    })
    const counted = Map.groupBy(all, ({ description }) => description)
    const shared = [...counted.values()]
      .filter((group) => group.length > 1)
      .map((group) => group.map(({ slug }) => slug))
    expect({ faults, shared }).toEqual({ faults: [], shared: [] })
  })

  it('every page begins with its reader and its minutes', () => {
    const line =
      language === 'ko' ? /^<p class="reader">[^<]+ · [^<]+<\/p>\n/ : /^<p class="reader">For [^<]+ · [^<]+<\/p>\n/
    expect(all.filter(({ body }) => !line.test(body)).map(({ slug }) => slug)).toEqual([])
  })
})

it('a page names its own reader, not that of its group', () => {
  const readerOf = (slug: string) =>
    /<p class="reader">(.*?) ·/.exec(pages.find((page) => page.slug === slug)?.body ?? '')?.[1]
  expect(['people/family', 'people/staff', 'guides/partners', 'decisions/0016-sequencer'].map(readerOf)).toEqual([
    'For families',
    'For staff',
    'For partners',
    'For contributors',
  ])
})

it('a description that says only whom a page is for is found', () => {
  expect(faultOf('This guide is for developers of agents in Python.', 30)).toBe('only names a reader')
  expect(faultOf('Status: accepted, with all of its reasons below.', 30)).toBe('only names a reader')
})
