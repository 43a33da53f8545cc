/** `npm run generate` writes the generated files; with `--check` it only lists the stale ones. */
import { readFile, writeFile } from 'node:fs/promises'
import { generatedFiles } from './generated-files.ts'
import { pythonManifest, writePythonModels } from './python-models.ts'

const root = new URL('../', import.meta.url)
const checking = process.argv.includes('--check')
const stale: string[] = []

for (const { path, content } of await generatedFiles()) await take(path, content)
// Made from files that the lines above have just written.
if (!checking) await writePythonModels()
const models = pythonManifest()
await take(models.path, models.content)

async function take(path: string, content: string): Promise<void> {
  const file = new URL(path, root)
  const current = await readFile(file, 'utf8').catch(() => '')
  if (current === content) return
  stale.push(path)
  if (!checking) await writeFile(file, content)
}

if (checking && stale.length > 0) {
  process.stderr.write(
    `Stale generated files: ${stale.join(', ')}. Run \`npm run generate\` and commit what changes.\n`,
  )
  process.exitCode = 1
} else {
  process.stdout.write(stale.length === 0 ? 'Generated files are fresh.\n' : `Wrote ${stale.join(', ')}\n`)
}
