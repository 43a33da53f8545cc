/** Every page has a guide in both languages, and every link of a guide leads to a page of the documentation. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { groups } from '../../docs/map.ts'
import { guideOf, guidesIn } from '../ui/help/guide.ts'

const root = new URL('../../../', import.meta.url).pathname
const read = (file: string) => guidesIn(readFileSync(root + file, 'utf8'))
const guides = { en: read('docs/guides/pages.md'), ko: read('docs/ko/guides/pages.md') }

const addresses: string[] = []
for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort()) {
  const found = (await import(root + file)) as { addresses: readonly { readonly path: string }[] }
  addresses.push(...found.addresses.map(({ path }) => path.replace('{center}', 'haneul')))
}
/** No page of ours. */
const without = ['/c/haneul/no-such-page']

it('the lists of addresses are read', () => {
  expect(addresses.length).toBeGreaterThan(60)
  expect(guides.en.length).toBeGreaterThan(25)
})

it.each(['en', 'ko'] as const)('every page has a guide in %s', (language) => {
  const missing = addresses.filter((path) => !without.includes(path) && guideOf(guides[language], path) === null)
  expect(missing).toEqual([])
  for (const { title, paragraphs } of guides[language]) expect([title, paragraphs.length]).toEqual([title, 2])
})

it('both languages have the same pages and links', () => {
  const outline = (list: typeof guides.en) =>
    list.map((guide) => [guide.addresses, guide.paragraphs.flat().flatMap((each) => each.page ?? [])])
  expect(outline(guides.ko)).toEqual(outline(guides.en))
})

it('every link leads to a page of the site, and each page for people is linked', () => {
  const slugs = groups.flatMap(({ pages }) => pages.map(({ slug }) => slug))
  const linked = guides.en.flatMap(({ paragraphs }) => paragraphs.flat().flatMap((each) => each.page ?? []))
  expect(linked.filter((slug) => !slugs.includes(slug))).toEqual([])
  const people = slugs.filter((slug) => slug.startsWith('people/'))
  expect(people.length).toBeGreaterThan(3)
  expect(people.filter((slug) => !linked.includes(slug))).toEqual([])
})

it('the nearest guide is chosen', () => {
  const title = (path: string) => guideOf(guides.en, path)?.title
  expect(title('/c/haneul/inbox')).toBe('Inbox')
  expect(title('/c/haneul/inbox/batch')).toBe('Several decisions at once')
  expect(title('/c/haneul/developers/keys')).toBe('Developers')
  expect(title('/c/haneul/attendance-today')).toBe('Attendance today')
  expect(title('/c/nowhere')).toBe('Signing in')
  expect(title('/somewhere')).toBeUndefined()
})
