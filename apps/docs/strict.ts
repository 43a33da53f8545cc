/** Moves what a strict content security policy refuses out of a page: scripts, and styles of single elements. */
import { createHash } from 'node:crypto'

const nameOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 12)

export class StrictPages {
  readonly #files = new Map<string, string>()
  readonly #styles = new Map<string, string>()

  /** The page without scripts and styles inside it. Their files are written when all pages have passed. */
  page(html: string): string {
    if (/<style\b/.test(html)) throw new Error('a page has a style element')
    const strict = html
      .replaceAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes: string, content: string) =>
        content.trim() === '' ? whole : `<script${attributes} src="${this.#script(content)}"></script>`,
      )
      .replaceAll(/<(\w[^<>]*?) style="([^"]*)"([^<>]*)>/g, (_, before: string, style: string, after: string) =>
        withClass(`${before}${after}`, this.#styled(style)),
      )
      // Without a script the theme is that of the system.
      .replace(' data-theme="dark"', '')
      .replace('</head>', '<link rel="stylesheet" href="{{styles}}"/></head>')
    if (/\sstyle="|\son\w+="/.test(strict.replaceAll(/<code[\s\S]*?<\/code>/g, '')))
      throw new Error('a page has a style or a handler of one element')
    return strict
  }

  /** What the pages name, by address below the folder of the site. */
  files(): { readonly styles: string; readonly files: ReadonlyMap<string, string> } {
    const css = [...this.#styles].map(([name, style]) => `.${name}{${style}}`).join('\n')
    const styles = `_astro/elements.${nameOf(css)}.css`
    return { styles: `/docs/${styles}`, files: new Map([...this.#files, [styles, css]]) }
  }

  #script(content: string): string {
    const file = `_astro/page.${nameOf(content)}.js`
    this.#files.set(file, content.trim())
    return `/docs/${file}`
  }

  #styled(style: string): string {
    const name = `s-${nameOf(style)}`
    this.#styles.set(name, style.replaceAll('&quot;', '"').replaceAll('&#39;', "'"))
    return name
  }
}

const withClass = (tag: string, name: string): string =>
  / class="/.test(tag) ? `<${tag.replace(/ class="/, ` class="${name} `)}>` : `<${tag} class="${name}">`
