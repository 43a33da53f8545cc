/** The site: static pages at /docs, in English, and in Korean at /docs/ko. */
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { highlighting } from './highlight.ts'
import { groups } from './map.ts'
import { base } from './markdown.ts'

export default defineConfig({
  root: new URL('.', import.meta.url).pathname,
  srcDir: './site',
  outDir: './next',
  cacheDir: '../../node_modules/.cache/astro',
  base,
  trailingSlash: 'never',
  image: { service: passthroughImageService() },
  build: { inlineStylesheets: 'never' },
  // The content security policy allows no script and no style inside a page.
  vite: { build: { assetsInlineLimit: 0 }, cacheDir: '../../node_modules/.cache/astro-vite' },
  markdown: { syntaxHighlight: 'shiki', shikiConfig: highlighting, smartypants: false },
  integrations: [
    starlight({
      title: { en: 'Countersign', ko: 'Countersign' },
      defaultLocale: 'root',
      locales: { root: { label: 'English', lang: 'en' }, ko: { label: '한국어', lang: 'ko' } },
      customCss: ['./site/style.css', './site/code.css', './site/tables.css'],
      head: [{ tag: 'link', attrs: { rel: 'stylesheet', href: '/assets/fonts.css' } }],
      components: {
        Search: './site/components/Search.astro',
        SiteTitle: './site/components/SiteTitle.astro',
        Footer: './site/components/Footer.astro',
      },
      sidebar: groups.map(({ label, pages, collapsed = false }) => ({
        label: label.en,
        translations: { ko: label.ko },
        collapsed,
        items: pages.map(({ slug }) => slug),
      })),
      expressiveCode: false,
      pagefind: false,
      credits: false,
      lastUpdated: false,
      disable404Route: true,
    }),
  ],
})
