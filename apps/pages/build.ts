/** Makes the files that the server sends: one page for every address, its script and its style. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'

const here = new URL('./', import.meta.url)

export interface BuiltFile {
  readonly name: 'pages.html' | 'pages.js' | 'pages.css'
  readonly content: string
}

/** The same text whenever and wherever it is built: a test holds the committed files against it. */
export async function buildPages(): Promise<readonly BuiltFile[]> {
  const [template, style, script] = await Promise.all([
    readFile(new URL('template.html', here), 'utf8'),
    css(),
    bundle(),
  ])
  const parts: Readonly<Record<string, string>> = {
    icon: 'data:,',
    style: addressOf('pages.css', style),
    script: addressOf('pages.js', script),
  }
  return [
    { name: 'pages.html', content: template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] as string) },
    { name: 'pages.js', content: script },
    { name: 'pages.css', content: style },
  ]
}

/** Another content has another address, so that browsers may keep what they have. */
const addressOf = (name: string, content: string): string =>
  `/assets/${createHash('sha256').update(content).digest('hex').slice(0, 16)}/${name}`

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: new URL('browser/main.ts', here).pathname,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'default'] },
  })
  try {
    const { output } = await build.generate({ format: 'es', minify: true, comments: { legal: false } })
    const [chunk, ...more] = output
    if (more.length > 0) throw new Error('the script became more than one file')
    return chunk.code
  } finally {
    await build.close()
  }
}

async function css(): Promise<string> {
  const design = ['tokens.css', 'base.css', 'view.css'].map((name) => new URL(`../../packages/design/${name}`, here))
  const sheets = [...design, new URL('style.css', here)]
  const texts = await Promise.all(sheets.map((sheet) => readFile(sheet, 'utf8')))
  return `${texts
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()}\n`
}
