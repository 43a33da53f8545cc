/** The file that the search of one language reads: every section of every page as plain text. */
import { groups } from './map.ts'
import { addressOf, anchorOfHeading } from './markdown.ts'
import type { Page } from './pages.ts'
import { readersWords } from './readers-words.ts'
import type { Section } from './site/ranking.ts'
import type { Language } from './words.ts'

/** A section is found by its first words too; a longer one would only make the file larger. */
const longest = 1500

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```json[\s\S]*?^```$/gm, '')
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/^<p class="reader">.*$/gm, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/^\|[\s|:-]+\|$/gm, '')
    .replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|\\]/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)

const groupOf = (slug: string) => groups.find(({ pages }) => pages.some((page) => slug === page.slug))

function kindOf(slug: string): Section['kind'] {
  // The start page lists every other page by what it is about.
  if (slug === 'index') return 'background'
  if (slug === 'decisions' || slug.startsWith('decisions/')) return 'decision'
  // A list of every sentence would come before the pages that explain one.
  if (slug === 'reference/error-messages') return 'background'
  return groupOf(slug)?.kind ?? 'reference'
}

/** A row of a table with a place of its own, such as a setting, is found by its name. */
const rowsOf = (part: string, of: { page: string; kind: Section['kind'] }, address: string): Section[] =>
  [...part.matchAll(/^\| <span id="([^"]+)"><\/span>.*$/gm)].map(([row, id = '']) => ({
    ...of,
    heading: id,
    address: `${address}#${id}`,
    text: plainText(row),
  }))

function sectionsOf({ slug, title, body }: Page, language: Language): Section[] {
  const seen = new Map<string, number>()
  const words = readersWords[slug]
  const address = addressOf(slug, language)
  const kind = kindOf(slug)
  // A page that begins with a heading is itself found too.
  const whole = body.startsWith('#') ? `\n\n${body}` : body
  return whole.split(/^(?=#{2,4} )(?![^`]*^```$)/m).flatMap((part) => {
    const rows = rowsOf(part, { page: title, kind }, address)
    const [, head] = /^#{2,4} (.+)$/m.exec(part.split('\n')[0] ?? '') ?? []
    if (head === undefined)
      return [{ page: title, kind, heading: title, address, text: plainText(part), ...(words && { words }) }, ...rows]
    const heading = plainText(head)
    const anchor = anchorOfHeading(heading)
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    const text = plainText(part.slice(part.indexOf('\n')))
    const place = `${address}#${anchor}${count > 0 ? `-${count}` : ''}`
    return [{ page: title, kind, heading, address: place, text }, ...rows]
  })
}

/** Headings inside of fenced blocks are not headings. */
const withoutFences = (page: Page): Page => ({
  ...page,
  body: page.body.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, ' #')),
})

export function searchIndex(pages: readonly Page[], language: Language): Section[] {
  const order = groups.flatMap((group) => group.pages.map(({ slug }) => slug))
  const place = ({ slug }: Page) => (order.includes(slug) ? order.indexOf(slug) : order.length)
  const found = new Map(pages.filter((page) => page.language === 'en').map((page) => [page.slug, page]))
  for (const page of pages) if (page.language === language) found.set(page.slug, page)
  return [...found.values()]
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((page) => sectionsOf(withoutFences(page), language))
}
