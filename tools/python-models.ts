/**
 * The models and the operations of the Python package are written by datamodel-code-generator, which takes a Python environment of its
 * own. So that a check needs neither, a file beside them has the digests of what they were made from and of what was made.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openApiDocument } from '@countersign/contract/openapi.ts'
import { sdkFiles } from './sdk-files.ts'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const manifest = 'python/generated.json'
const made = ['python/src/countersign/models.py', 'python/src/countersign/_operations.py']
const program = 'python/tools/generate.py'

/** The part of the contract that the package has: its operations, and every schema that they name. */
function usedPart(): object {
  const { paths, components } = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<string, Record<string, unknown>>
    components: { schemas: Record<string, unknown> }
  }
  const table = sdkFiles().find(({ path }) => path.endsWith('table.generated.ts'))?.content ?? ''
  const rows = [
    ...(table
      .split('export const proofTable')[1]
      ?.split('\n}\n')[0]
      ?.matchAll(/method: '(\w+)', path: '([^']+)'/g) ?? []),
  ]
  if (rows.length < 30) throw new Error('The table of operations has another form now.')
  const operations = rows.map(([, method = '', path = '']) => [method, path, paths[path]?.[method.toLowerCase()]])
  const named = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (named.has(name)) continue
      named.add(name)
      follow(components.schemas[name])
    }
  }
  follow(operations)
  return { table, operations, schemas: [...named].sort().map((name) => [name, components.schemas[name]]) }
}

function inputs(): string {
  const pinned = read('python/requirements-dev.txt').match(/^(?:datamodel-code-generator|ruff)==.*$/gm) ?? []
  return digest(JSON.stringify([usedPart(), read(program), pinned]))
}

const outputs = (): object => Object.fromEntries(made.map((path) => [path, digest(read(path))]))
const content = (): string => `${JSON.stringify({ inputs: inputs(), outputs: outputs() }, null, 2)}\n`

export const pythonManifest = () => ({ path: manifest, content: content() })

/** Makes them again where the contract or a file differs from what the manifest says. */
export async function writePythonModels(): Promise<void> {
  if (content() === read(manifest)) return
  const { python } = await import('../tests/python/environment.ts')
  execFileSync(await python(), [new URL(program, root).pathname], { stdio: ['ignore', 'ignore', 'inherit'] })
}
