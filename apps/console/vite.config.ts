/** Makes `dist/`: one document for every address of the console, one for the approval page, and files whose names change with their content. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import en from '@countersign/words/en/ui.json' with { type: 'json' }
import ko from '@countersign/words/ko/ui.json' with { type: 'json' }
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service worker imports nothing, so its words are written into it. */
export function pushScript(): string {
  const own = (words: typeof ko) => ({ title: words.pushTitle, text: words.pushText })
  const source = readFileSync(new URL('push.js', import.meta.url), 'utf8')
  return source.replace("'{{words}}'", () => JSON.stringify({ ko: own(ko), en: own(en) }))
}

/** A script of its own, since the content security policy allows none inside the document. */
function bootScript(): Plugin {
  const source = readFileSync(new URL('boot.js', import.meta.url), 'utf8')
  const fileName = `boot-${createHash('sha256').update(source).digest('hex').slice(0, 16)}.js`
  return {
    name: 'boot-script',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
      // One name for ever: the browser asks for it again by itself.
      this.emitFile({ type: 'asset', fileName: 'push.js', source: pushScript() })
    },
    transformIndexHtml: (html) => html.replace('{{boot}}', `/console/${fileName}`),
  }
}

export default defineConfig({
  root: new URL('.', import.meta.url).pathname,
  base: '/console/',
  publicDir: false,
  plugins: [react(), bootScript()],
  resolve: { conditions: ['browser', 'import', 'default'] },
  // A worker is a file beside the others: the server knows no folders.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: '[name]-[hash].js' } } },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Nothing becomes a data URL: the content security policy allows no script from one.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // test/budget.test.ts holds the limit.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
})
