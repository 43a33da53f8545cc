/** The file that the search of one language reads: every section of every page as plain text. */
import { groups } from './map.ts'
import { addressOf, anchorOfHeading } from './markdown.ts'
import type { Page } from './pages.ts'
import type { Language } from './words.ts'

export interface Section {
  readonly page: string
  readonly heading: string
  readonly address: string
  readonly text: string
}

/** A section is found by its first words too; a longer one would only make the file larger. */
const longest = 1500

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```json[\s\S]*?^```$/gm, '')
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/^\|[\s|:-]+\|$/gm, '')
    .replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|\\]/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)

function sectionsOf({ slug, title, body }: Page, language: Language): Section[] {
  const seen = new Map<string, number>()
  const address = addressOf(slug, language)
  return body.split(/^(?=#{2,4} )(?![^`]*^```$)/m).map((part) => {
    const [, head] = /^#{2,4} (.+)$/m.exec(part.split('\n')[0] ?? '') ?? []
    if (head === undefined) return { page: title, heading: title, address, text: plainText(part) }
    const heading = plainText(head)
    const anchor = anchorOfHeading(heading)
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    const text = plainText(part.slice(part.indexOf('\n')))
    return { page: title, heading, address: `${address}#${anchor}${count > 0 ? `-${count}` : ''}`, text }
  })
}

/** Headings inside of fenced blocks are not headings. */
const withoutFences = (page: Page): Page => ({
  ...page,
  body: page.body.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, ' #')),
})

/** Decisions come last among equals, since a reader looks for how before why. */
export function searchIndex(pages: readonly Page[], language: Language): Section[] {
  const order = groups.flatMap((group) => group.pages.map(({ slug }) => slug))
  const place = ({ slug }: Page) => (order.includes(slug) ? order.indexOf(slug) : order.length)
  const found = new Map(pages.filter((page) => page.language === 'en').map((page) => [page.slug, page]))
  for (const page of pages) if (page.language === language) found.set(page.slug, page)
  return [...found.values()]
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((page) => sectionsOf(withoutFences(page), language))
}
