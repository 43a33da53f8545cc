/** Makes `next/`: every page as Markdown, the generator over them, and what the generator does not make. */
import { rm, writeFile } from 'node:fs/promises'
import { build } from 'astro'
import { finish } from './finish.ts'
import { allPages } from './pages.ts'

const folder = new URL('.', import.meta.url).pathname

export async function buildSite(): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  const pages = allPages()
  const written = `${folder}.pages.json`
  await writeFile(written, JSON.stringify(pages))
  process.env.DOCS_PAGES = written
  try {
    await build({ root: folder, configFile: 'astro.config.ts', logLevel: 'warn' })
  } finally {
    await rm(written)
  }
  await finish(`${folder}next/`, pages)
}
