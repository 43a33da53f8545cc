/** What the generator does not make: strict pages, Markdown beside each page, llms.txt, the search, pictures. */
import { globSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path/posix'
import { svgText } from '@countersign/design/drawing.ts'
import { markDrawing } from '@countersign/design/mark.ts'
import { withBreaks } from './breaks.ts'
import { groups, root } from './map.ts'
import { addressOf, servedFile } from './markdown.ts'
import type { Page } from './pages.ts'
import { searchIndex } from './search-index.ts'
import { StrictPages } from './strict.ts'
import { languages } from './words.ts'

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

const markdownOf = ({ title, body }: Page): string =>
  `# ${title}\n\n${body.replace(/^<p class="reader">(.*)<\/p>$/m, '$1')}\n`

const pathOf = (slug: string, language: string): string => `${language === 'ko' ? 'ko/' : ''}${slug}.md`

/** https://llmstxt.org: the pages with their Markdown, for programs that read documentation. */
function llms(pages: readonly Page[]): string {
  const english = new Map(pages.filter(({ language }) => language === 'en').map((page) => [page.slug, page]))
  const line = (slug: string) => {
    const page = english.get(slug)
    return page ? [`- [${page.title}](${addressOf(slug, 'en')}.md): ${page.description}`] : []
  }
  const api = [...english.keys()].filter((slug) => slug.startsWith('reference/api/'))
  return [
    '# Countersign',
    `> ${english.get('index')?.description}`,
    'The OpenAPI 3.1 description of the API is at /openapi.json, all of these pages in one file at /llms-full.txt. Korean pages are below /docs/ko.',
    ...groups.map(
      ({ label, pages: listed }) => `## ${label.en}\n\n${listed.flatMap(({ slug }) => line(slug)).join('\n')}`,
    ),
    `## Operations of the API\n\n${api.flatMap(line).join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

/** Every English page in one file, for programs that read all of it at once. Records of decisions are left out. */
const everything = (pages: readonly Page[]): string =>
  pages
    .filter(({ language, slug }) => language === 'en' && !slug.startsWith('decisions'))
    .map((page) => `${markdownOf(page)}\nSource: ${addressOf(page.slug, 'en')}\n`)
    .join('\n---\n\n')

/** A Korean page whose text is English still leads to Korean pages. */
function inKorean(html: string, slugs: ReadonlySet<string>): string {
  const [before = '', ...main] = html.split('<main')
  const text = main
    .join('<main')
    .replaceAll(/href="\/docs\/([^"#]+)(#[^"]*)?"/g, (whole, slug: string, anchor = '') =>
      slugs.has(slug) ? `href="/docs/ko/${slug}${anchor}"` : whole,
    )
  return `${before}<main${text}`
}

export async function finish(folder: string, pages: readonly Page[]): Promise<void> {
  const strict = new StrictPages()
  const documents = globSync('**/*.html', { cwd: folder })
  const slugs = new Set(pages.map(({ slug }) => slug))
  const texts = await Promise.all(
    documents.map(async (file) => {
      const made = (await readFile(folder + file, 'utf8')).replaceAll('<th></th>', '<td></td>')
      const html = strict.page(withBreaks(made))
      return [file, file.startsWith('ko/') ? inKorean(html, slugs) : html] as const
    }),
  )
  const { styles, files } = strict.files()
  for (const [file, text] of texts) await writeFile(folder + file, text.replace('{{styles}}', styles))
  for (const [file, text] of files) await write(folder + file, text)
  for (const language of languages) {
    for (const page of pages)
      if (page.language === 'en' || page.language === language)
        await write(folder + pathOf(page.slug, language), markdownOf(page))
    await writeFile(`${folder}search-${language}.json`, JSON.stringify(searchIndex(pages, language)))
  }
  await writeFile(`${folder}llms.txt`, llms(pages))
  await writeFile(`${folder}llms-full.txt`, everything(pages))
  await writeFile(`${folder}favicon.svg`, svgText(markDrawing({ label: '', color: '#656B71' })))
  for (const file of globSync('docs/**/*', { cwd: root })) {
    if (!servedFile.test(file)) continue
    const to = folder + file.replace(/^docs\//, '')
    await mkdir(dirname(to), { recursive: true })
    await copyFile(new URL(file, root), to)
  }
}
