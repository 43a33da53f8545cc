/** The built documentation, as a reader's browser gets it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { buildDocs } from '../../tools/build-docs.ts'
import { root } from './blocks.ts'

const folder = `${root}apps/docs/dist/`

export interface BuiltPage {
  /** Such as `/docs/ko/guides/policies`. */
  readonly address: string
  readonly html: string
  readonly ids: ReadonlySet<string>
}

export interface Site {
  readonly pages: ReadonlyMap<string, BuiltPage>
  read(file: string): string
  /** What is wrong with a link of the site; null if it leads to a page and a place on it, or to a file. */
  fault(target: string, from: string): string | null
}

const addressOf = (file: string): string => `/docs/${file}`.replace(/\/?index\.html$/, '')

export async function openSite(): Promise<Site> {
  await buildDocs()
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((file) => {
      const html = readFileSync(folder + file, 'utf8')
      const ids = new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id as string))
      return [addressOf(file), { address: addressOf(file), html, ids }] as const
    }),
  )
  return {
    pages,
    read: (file) => readFileSync(folder + file, 'utf8'),
    fault(target, from) {
      const [path = '', anchor] = target.split('#')
      const address = path === '' ? from : path
      const page = pages.get(address)
      if (!page) return existsSync(folder + address.replace(/^\/docs\//, '')) ? null : 'no such page'
      return anchor === undefined || page.ids.has(decodeURIComponent(anchor)) ? null : 'no such place on the page'
    },
  }
}
