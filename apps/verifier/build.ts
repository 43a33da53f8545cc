/** Makes the one file: script and style inside, and a policy that allows these two by their hashes and nothing else. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { svgText } from '@countersign/design/drawing.ts'
import { markDrawing } from '@countersign/design/mark.ts'
import { rolldown } from 'rolldown'

const here = new URL('./', import.meta.url)

/** The same text whenever and wherever it is built: a test holds the committed file against it. */
export async function buildPage(): Promise<string> {
  const [template, script, ...sheets] = await Promise.all([
    readFile(new URL('template.html', here), 'utf8'),
    bundle(),
    ...[
      '../../packages/design/tokens.css',
      '../../packages/design/base.css',
      '../../packages/design/view.css',
      '../../packages/design/certificate.css',
      'style.css',
    ].map((sheet) => readFile(new URL(sheet, here), 'utf8')),
  ])
  const styles = squeezed(sheets.join('\n'))
  // Trusted types: not even a mistake of ours can make markup of what a document says.
  const policy = [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(styles)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const parts: Readonly<Record<string, string>> = {
    policy,
    script,
    style: styles,
    mark: svgText(markDrawing({ label: '' })),
    icon: encodeURIComponent(svgText(markDrawing({ label: '', color: '#656B71' }))),
  }
  return template
    .replaceAll(/\n\s+(?=<)/g, '\n')
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] as string)
}

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: new URL('browser/page.ts', here).pathname,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'default'] },
  })
  try {
    const { output } = await build.generate({ format: 'iife', minify: true, comments: { legal: false } })
    const [chunk, ...more] = output
    if (more.length > 0) throw new Error('the page became more than one file')
    const code = chunk.code.trim()
    if (/<\/script|<!--/i.test(code)) throw new Error('the script would end the element that holds it')
    return code
  } finally {
    await build.close()
  }
}

const sourceHash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

const squeezed = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()
