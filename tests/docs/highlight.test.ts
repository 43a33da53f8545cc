/** Code blocks of the built documentation: classes of tokens, and their colors in both themes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { withBreaks } from '../../apps/docs/breaks.ts'
import { contrast } from '../support/contrast.ts'
import { openSite, type Site } from './site.ts'

let site: Site
let css: string
beforeAll(async () => {
  site = await openSite()
  const linked = (site.pages.get('/docs')?.html ?? '').matchAll(/"\/docs\/(_astro\/[^"]+\.css)"/g)
  css = Array.from(linked, ([, file = '']) => site.read(file)).join('\n')
}, 300_000)

/** Tokens with a class as "class text", in the blocks of one language on a page. */
function tokens(address: string, language: string): string[] {
  const html = site.pages.get(address)?.html ?? ''
  const blocks = html.matchAll(/<pre><code class="language-(\w+)">([\s\S]*?)<\/code><\/pre>/g)
  return Array.from(blocks, ([, found, code = '']) => (found === language ? code : ''))
    .flatMap((code) => [...code.matchAll(/<span class="code-(\w+)">([^<]*)<\/span>/g)])
    .map(([, kind, text = '']) => `${kind} ${text.trim()}`)
}

describe.each(['/docs', '/docs/ko'])('code blocks below %s', (base) => {
  it('in TypeScript have keywords, strings and values', () => {
    const found = tokens(`${base}/tutorials/guard`, 'ts')
    for (const token of ['keyword import', 'keyword const', "string 'zod'", 'value 1']) expect(found).toContain(token)
  })

  it('of a console have prompts, commands and options', () => {
    const found = tokens(`${base}/operation/versions`, 'console')
    for (const token of ['prompt $', 'keyword git', 'value --all', 'value --message', "string 'chore: release 0.2.0'"])
      expect(found).toContain(token)
  })

  it('that are files have the name of the file', () => {
    const { html = '' } = site.pages.get(`${base}/operation/one-machine`) ?? {}
    expect(html).toContain('<figure class="file"><figcaption>/etc/caddy/Caddyfile</figcaption><pre>')
    expect(html).not.toContain('<figcaption>install</figcaption>')
  })
})

describe('colors of tokens', () => {
  const used = (): string[] => {
    const all = [...site.pages.values()].flatMap(({ html }) => [...html.matchAll(/<span class="(code-\w+)"/g)])
    return [...new Set(all.map(([, name]) => name as string))].sort()
  }

  it('are in the style sheet for each class, with a contrast of 4.5 or more on the block', () => {
    expect(used()).toEqual(['code-comment', 'code-keyword', 'code-prompt', 'code-string', 'code-value'])
    for (const name of used()) {
      const [, token = ''] = new RegExp(`\\.${name}\\b[^{}]*\\{color:var\\(--(\\w+)\\)`).exec(css) ?? []
      const values = (each: string) =>
        Array.from(css.matchAll(new RegExp(`--${each}:(#\\w{6})`, 'g')), ([, hex]) => hex)
      const grounds = values('fold')
      // Light, dark of the system, dark by choice.
      expect([token, grounds.length, values(token).length]).toEqual([expect.stringMatching(/\w/), 3, 3])
      values(token).forEach((color, theme) => {
        expect(contrast(color as string, grounds[theme] as string), name).toBeGreaterThanOrEqual(4.5)
      })
    }
  })
})

describe('inline code in a narrow table', () => {
  it('ends its line at a separator', () => {
    expect(withBreaks('<td><code>aiContext.promptDigest</code></td>')).toBe(
      '<td><code>aiContext.<wbr>prompt<wbr>Digest</code></td>',
    )
    expect(withBreaks('<td><code>GET /api/v1/decision-events/{id}</code></td>')).toBe(
      '<td><code>GET /api/<wbr class="wide">v1/<wbr class="wide">decision-events/<wbr class="wide">{id}</code></td>',
    )
    expect(withBreaks('<td><code>decisionId</code></td>')).toBe('<td><code>decisionId</code></td>')
  })

  it('does not end its line inside of an option', () => {
    expect(withBreaks('<p><code>seal --seconds 2</code></p>')).toBe(
      '<p><code>seal <span class="option">--seconds</span> 2</code></p>',
    )
  })

  it('is not changed in blocks', () => {
    const block = '<td><pre><code class="language-sh">curl --silent https://a.example/first/second</code></pre></td>'
    expect(withBreaks(block)).toBe(block)
  })
})
