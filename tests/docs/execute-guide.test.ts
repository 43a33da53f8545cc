/** The guide for executors: its program and its commands run one after another. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyExport } from '@countersign/proof'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inShell, plainEnvironment } from '../journeys/shell.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { blocksOf, read, root } from './blocks.ts'

const blocks = blocksOf(read('docs/guides/execute.md'))
const commands = blocks.flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
const used = new Set<string>()

let server: TestServer
let fixture: ProofFixture
let folder: string
let id = ''

const here = (text: string): string =>
  text
    .replaceAll('localhost:3000', `127.0.0.1:${server.services.config.port}`)
    .replaceAll('|| true', '|| echo "ended $?"')

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  // Inside the repository, where Node resolves the package.
  await mkdir(join(root, '.dev'), { recursive: true })
  folder = await mkdtemp(join(root, '.dev/docs-execute-'))
  for (const { label, text } of blocks) if (label) await writeFile(join(folder, label), here(text))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** The only command of the page that contains this text. */
function run(part: string, andThen = ''): Promise<string> {
  const [found, ...others] = commands.filter((text) => text.includes(part))
  if (!found || others.length > 0) throw new Error(`the guide does not have exactly one command with "${part}"`)
  used.add(found)
  const env = plainEnvironment({ KEY: fixture.key, ID: id })
  return inShell({ folder, env }, here(found) + andThen, 30_000)
}

const transfers = () => readFile(join(folder, 'transfers.txt'), 'utf8').catch(() => '')
const execution = async () => (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data.execution

async function newDecision(): Promise<void> {
  id = (await run('> event.json', '\necho "$ID"')).trim()
  expect(id).toMatch(/^evt_/)
}

it('runs the approved amount, no other, and once', async () => {
  await newDecision()
  await run('well-known')
  expect(await run('# once')).toContain('not approved')
  await run('/approvals"')
  expect(await run('820000')).toContain('not the approved action')
  expect(await transfers()).toBe('')
  expect(await run('node executor.mjs "$ID" 82000\n')).toContain('done succeeded')
  const { executor } = await execution()
  expect(await run('# once')).toContain(`not now: ${executor}`)
  expect(await transfers()).toBe(`${id} 82000\n`)
})

it('reports an unknown outcome after a crash, and what was found later', async () => {
  await newDecision()
  await run('/approvals"')
  expect(await run('# crash')).toContain('ended 137')
  expect(await execution()).toMatchObject({ outcome: null })
  expect(await run('# once')).toContain('not now:')
  expect(JSON.parse(await run('unknown')).data.status).toBe('unknown')
  expect(JSON.parse(await run('reconciliation')).data.status).toBe('succeeded')
  expect(await execution()).toMatchObject({ outcome: { status: 'succeeded' } })
  expect((await transfers()).split(id)).toHaveLength(2)
  const proof = await fixture.v1('GET', `/api/v1/evidence/${id}/export`)
  expect(verifyExport(proof.body)).toMatchObject({ valid: true })
})

it('leaves no command of the page out', () => {
  expect(commands.filter((text) => !used.has(text))).toEqual([])
})
