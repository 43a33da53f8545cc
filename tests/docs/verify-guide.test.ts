/** Runs the commands of the guide for auditors and of the page for witnesses. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { inBackground, inShell, plainEnvironment } from '../journeys/shell.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { blocksOf, read, root } from './blocks.ts'

const commands = ['docs/guides/verify.md', 'packages/witness/README.md'].flatMap((page) =>
  blocksOf(read(page)).flatMap(({ language, text }) => (language === 'sh' ? [text] : [])),
)
const used = new Set<string>()

let server: TestServer
let fixture: ProofFixture
let folder: string

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  folder = mkdtempSync(join(tmpdir(), 'docs-verify-'))
  const event = await fixture.record()
  await fixture.approve(event.id)
  writeFileSync(
    join(folder, 'proof.json'),
    (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).text,
  )
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The only command that contains all these parts, in a separate folder and without npm, which prints its own lines. */
function command(...parts: string[]): string {
  const [found, ...others] = commands.filter((text) => parts.every((part) => text.includes(part)) && !used.has(text))
  if (!found || others.length > 0)
    throw new Error(`the pages do not have exactly one unused command with "${parts.join('", "')}"`)
  used.add(found)
  return found
    .replaceAll('localhost:3000', `127.0.0.1:${server.services.config.port}`)
    .replaceAll('npm run countersign --', `node ${root}packages/cli/main.ts`)
    .replaceAll('npx @countersign/witness', `node ${root}packages/witness/main.ts`)
}
const shell = (more: Record<string, string> = {}) => ({
  folder,
  env: plainEnvironment({ KEY: fixture.key, LANG: 'C', ...more }),
})
const run = (...parts: string[]) => inShell(shell(), command(...parts), 60_000)

it('verifies a proof with and without the policy of the server', async () => {
  await run('well-known')
  expect(readFileSync(join(folder, 'countersign.policy'), 'utf8')).toMatch(/^log countersign\.test\+/)
  expect(await run('verify proof.json --trust')).toMatch(/Signed +yes/)
  expect(await run('verify proof.json --no-trust')).toMatch(/Signed +unknown/)
})

it('runs an audit that passes, writes its memory and reports', async () => {
  await run('audit', 'report.json')
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({ ok: true })
  expect(await run('audit')).toContain('Everything verified.')
  expect(Object.keys(JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8')).logs)).toHaveLength(3)
})

it('creates and starts a witness', async () => {
  // tests/journeys/packages.test.ts packs and installs it.
  expect(command('npm run pack')).toMatch(/ --into \.\.\/witness witness\n$/)
  expect(await run('init --name')).toMatch(/^witness\.example\.org\/w1\+/)
  expect(statSync(join(folder, 'witness.key')).mode & 0o777).toBe(0o600)
  const policy = readFileSync(join(folder, 'countersign.policy'), 'utf8')
  writeFileSync(
    join(folder, 'witness.conf'),
    policy
      .split('\n')
      .filter((line) => line.startsWith('log '))
      .join('\n'),
  )
  const port = String(await freePort())
  const started = inBackground(shell({ WITNESS_PORT: port }), command('npx @countersign/witness\n'))
  await started.shows('is listening on', 20_000)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain(
    'This is the witness witness.example.org/w1.',
  )
  await started.interrupt(10_000)
})

it('runs every command of the two pages', () => {
  expect(commands.filter((each) => !used.has(each))).toEqual([])
})
