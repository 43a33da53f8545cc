/** Clients that public generators create from openapi.json compile: one in TypeScript, one in Python. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../docs/blocks.ts'
import { installed, needsPip, npmPackages, run } from './installed.ts'

const document = `${root}packages/contract/openapi.json`
/** openapi-typescript does not work with TypeScript 7, so it gets a separate TypeScript 5. */
const generator = ['openapi-typescript@7.13.0', 'typescript@5.9.3']
const pythonPackages = ['openapi-python-client==0.29.1']

let work: string
let npmFolder: string
let pythonFolder: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'countersign-clients-'))
  ;[npmFolder, pythonFolder] = await Promise.all([
    npmPackages('openapi-typescript', generator),
    installed('openapi-python-client', pythonPackages.join(), needsPip, (folder) =>
      run('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', folder, ...pythonPackages]),
    ),
  ])
}, 600_000)
afterAll(() => rm(work, { recursive: true, force: true }))

describe('the client of openapi-typescript', { timeout: 300_000 }, () => {
  const compile = (file: string) =>
    run(join(npmFolder, 'node_modules/.bin/tsc'), [
      ...['--strict', '--noEmit', '--allowImportingTsExtensions', '--target', 'es2022', '--lib', 'es2022,dom'],
      ...['--module', 'nodenext', join(work, file)],
    ])
  const using = (status: string) => `import type { components, operations } from './api.ts'
type Body = operations['decisionEvents.record']['requestBody']['content']['application/json']
type Reply = operations['decisionEvents.record']['responses'][201]['content']['application/json']
const body: Body = { type: 'ai_recommendation', actor: { id: 'agent-7', type: 'ai_agent' }, action: { type: 'plan.adjust' } }
const statusOf = (reply: Reply): components['schemas']['DecisionEventStatus'] => reply.data.status
console.log(body, statusOf, ${JSON.stringify(status)} satisfies components['schemas']['EvidenceStatus'])
`

  beforeAll(() =>
    run(join(npmFolder, 'node_modules/.bin/openapi-typescript'), [document, '--output', join(work, 'api.ts')]),
  )

  it('compiles, and has a type for every operation', async () => {
    await compile('api.ts')
    const text = await readFile(join(work, 'api.ts'), 'utf8')
    expect(operations.filter(({ id }) => !text.includes(`    "${id}": {`)).map(({ id }) => id)).toEqual([])
  })

  it('has types that accept a valid call and refuse an invalid one', async () => {
    await writeFile(join(work, 'right.ts'), using('sealed'))
    await writeFile(join(work, 'wrong.ts'), using('sealde'))
    await compile('right.ts')
    await expect(compile('wrong.ts')).rejects.toThrow('sealde')
  })
})

describe('the client of openapi-python-client', { timeout: 300_000 }, () => {
  const env = () => ({ ...process.env, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: '1' })
  const python = (...args: string[]) => run('python3', args, { cwd: work, env: env() })
  let said: string

  beforeAll(async () => {
    await writeFile(join(work, 'config.yml'), 'package_name_override: client\npost_hooks: []\n')
    const start = 'from openapi_python_client.cli import app; app()'
    const generate = ['generate', '--path', document, '--config', 'config.yml', '--meta', 'none']
    said = await python('-c', start, ...generate, '--output-path', 'client')
  }, 300_000)

  it('is complete, except for streams of lines, policies in YAML and the archive, whose media types the generator does not know', () => {
    expect([...said.matchAll(/^(?:WARNING|ERROR) .*$/gm)].map(([line]) => line)).toEqual([
      'WARNING parsing GET /api/v1/chains/{domain}/entries within evidence.',
      'WARNING parsing GET /api/chains/{domain}/entries within evidence.',
      'WARNING parsing PUT /api/v1/policies/import within policies.',
      'WARNING parsing PUT /api/policies/import within policies.',
      'WARNING parsing GET /api/centers/{center}/export.tar within centers.',
    ])
  })

  it('compiles, every module can be imported, and there is one for every operation', async () => {
    await python('-m', 'compileall', '-q', 'client')
    const program = `
import importlib, pkgutil, client
names = [module.name for module in pkgutil.walk_packages(client.__path__, 'client.')]
for name in names: importlib.import_module(name)
print(sum(name.count('.') == 3 and name.startswith('client.api.') for name in names))`
    expect(Number((await python('-c', program)).trim())).toBe(operations.length)
  })
})
