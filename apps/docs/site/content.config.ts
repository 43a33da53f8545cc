/** The pages that the build has written to one file. */

import { defineCollection } from 'astro:content'
import { readFileSync } from 'node:fs'
import { docsSchema } from '@astrojs/starlight/schema'
import type { Loader } from 'astro/loaders'
import type { Page } from '../pages.ts'

const written = (): Loader => ({
  name: 'written-pages',
  async load({ store, parseData, renderMarkdown }) {
    const pages: Page[] = JSON.parse(readFileSync(process.env.DOCS_PAGES as string, 'utf8'))
    store.clear()
    for (const { slug, language, title, description, body } of pages) {
      const id = language === 'en' ? slug : slug === 'index' ? 'ko' : `ko/${slug}`
      const data = await parseData({ id, data: { title, description } })
      store.set({ id, data, body, rendered: await renderMarkdown(body) })
    }
  },
})

export const collections = { docs: defineCollection({ loader: written(), schema: docsSchema() }) }
