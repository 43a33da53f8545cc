/** The shell blocks of examples/README.md, run against a server with demo data. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inBackground, inShell, plainEnvironment, type Running, type Shell } from './shell.ts'

const [wait = '', approve = '', verify = ''] = blocksOf(read('examples/README.md')).map(({ text }) => text)
let server: TestServer
let folder: string
let shell: Shell
let agent: Running
let key: string

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'countersign-example-'))
  const { databaseUrl, port } = server.services.config
  shell = { folder, env: plainEnvironment({ DATABASE_URL: databaseUrl, PORT: String(port) }) }
  key = JSON.parse(await inShell(shell, here('npm run --silent demo -- --json'))).apiKeys.write
})
afterAll(async () => {
  await agent?.interrupt(10_000)
  await rm(folder, { recursive: true, force: true })
  await server.close()
})

/** The blocks are written for the root of the repository; here the proof goes to a folder of the test. */
const here = (commands: string) =>
  commands
    .replaceAll('http://localhost:3000', server.url)
    .replaceAll('npm run --silent', `npm --prefix ${root} run --silent`)
    .replaceAll('examples/', `${root}examples/`)
    .replaceAll(
      'verify proof.json --policy countersign.policy',
      `verify ${folder}/proof.json --policy ${folder}/countersign.policy`,
    )
const variables = () => `export COUNTERSIGN_URL=${server.url} COUNTERSIGN_KEY=${key}\n`

describe('approval', () => {
  it('waits for the approval, then writes a proof that verifies offline', { timeout: 120_000 }, async () => {
    agent = inBackground(shell, here(wait))
    await agent.shows('Waiting for approval of evt_', 60_000)
    const [event = ''] = /evt_\w+/.exec(agent.output()) ?? []
    expect(await inShell(shell, variables() + here(approve.replace('EVENT', event)))).toMatch(
      /^approved, sealed as sha256:/,
    )
    await agent.shows('The proof is in proof.json', 30_000)
    expect(agent.output()).toContain('Approved by Dana Park: The carrier confirmed the loss.')
    const verdict = await inShell(shell, variables() + here(verify))
    for (const answer of ['Intact', 'In the chain', 'Signed']) expect(verdict).toMatch(new RegExp(`${answer} +yes`))
  })

  it('does not act after a refusal', { timeout: 60_000 }, async () => {
    const refused = inBackground(shell, `${variables()}node ${root}examples/approval/agent.ts; echo "exit $?"`)
    await refused.shows('Waiting for approval of evt_', 30_000)
    const [event = ''] = /evt_\w+/.exec(refused.output()) ?? []
    const refusal = approve.replace('EVENT', event).replace('approved', 'rejected')
    expect(await inShell(shell, variables() + here(refusal))).toMatch(/^rejected, sealed as sha256:/)
    await refused.shows('exit 1', 30_000)
    expect(refused.output()).toContain('Refused by Dana Park')
    expect(refused.output()).not.toContain('proof.json')
  })
})
