/** Every page of the site as Markdown, in the languages in which it exists. */
import { existsSync, readFileSync } from 'node:fs'
import { descriptionOf } from './descriptions.ts'
import { decisions, groups, home, type Listed, root } from './map.ts'
import { titleAndBody, withAnchorsOf, withSiteLinks } from './markdown.ts'
import { readersLine } from './readers.ts'
import { generatedPages } from './reference/pages.ts'
import { type Language, languages } from './words.ts'

export interface Page {
  readonly slug: string
  readonly language: Language
  readonly title: string
  readonly description: string
  readonly body: string
}

const listed: readonly Listed[] = [home, ...groups.flatMap(({ pages }) => pages), ...decisions]

const slugs: ReadonlyMap<string, string> = new Map([
  ...listed.flatMap(({ slug, source }) => (source ? [[source, slug] as const] : [])),
  ['docs/README.md', 'index'],
  ['README.md', 'index'],
  // What these files define is on generated pages.
  ['docs/settings.md', 'reference/settings'],
  ['packages/contract/openapi.json', 'reference/api'],
  ['packages/contract/errors.ts', 'reference/errors'],
  ['packages/contract/webhook-events.ts', 'reference/events'],
  ['packages/cli/help.ts', 'reference/cli'],
  ['packages/cli/README.md', 'reference/cli'],
])

const textOf = (source: string, language: Language): { text: string; file: string } | null => {
  const file = language === 'en' ? source : source.replace(/^(docs\/)?/, 'docs/ko/')
  return existsSync(new URL(file, root)) ? { text: readFileSync(new URL(file, root), 'utf8'), file } : null
}

function fromFile({ slug, source }: Listed & { source: string }, language: Language): Page | null {
  const found = textOf(source, language)
  if (!found) return null
  const { title, body } = titleAndBody(found.text)
  const english = language === 'en' ? body : titleAndBody(textOf(source, 'en')?.text ?? '').body
  const linked = withSiteLinks(withAnchorsOf(english, body), found.file, { language, slugs })
  return {
    slug,
    language,
    title,
    description: descriptionOf(slug, title, linked, language),
    body: readersLine(slug, linked, language) + linked,
  }
}

export function allPages(): Page[] {
  return languages.flatMap((language) => [
    ...listed.flatMap((each) => {
      const made = each.source === null ? null : fromFile({ ...each, source: each.source }, language)
      return made ? [made] : []
    }),
    ...generatedPages(language, (text, source) => withSiteLinks(text, source, { language, slugs })).map((each) => ({
      ...each,
      language,
      description: descriptionOf(each.slug, each.title, each.body, language),
      body: readersLine(each.slug, each.body, language) + each.body,
    })),
  ])
}
