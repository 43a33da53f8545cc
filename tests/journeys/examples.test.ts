/** The examples as their README starts them, against a server with demo data. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { inBackground, inShell, plainEnvironment, type Running, type Shell } from './shell.ts'

const [variables = '', webhooks = ''] = blocksOf(read('examples/README.md')).map(({ text }) => text)
let server: TestServer
let folder: string
let shell: Shell
let port: number
const running: Running[] = []

beforeAll(async () => {
  server = await startServer({ jobs: true, env: localNetworks })
  folder = await mkdtemp(join(tmpdir(), 'countersign-example-'))
  port = await freePort()
  const { databaseUrl, port: own } = server.services.config
  const env = plainEnvironment({ DATABASE_URL: databaseUrl, PORT: String(own) })
  const key = await inShell({ folder, env }, here(`${variables}\nprintf %s "$COUNTERSIGN_KEY"`))
  shell = { folder, env: { ...env, COUNTERSIGN_URL: server.url, COUNTERSIGN_KEY: key } }
})
afterAll(async () => {
  for (const each of running) await each.interrupt(10_000)
  await rm(folder, { recursive: true, force: true })
  await server.close()
})

/** The blocks are written for the root of the repository. */
const here = (commands: string) =>
  commands
    .replaceAll('http://localhost:3000', server.url)
    .replaceAll('npm run --silent', `npm --prefix ${root} run --silent`)
    .replaceAll('node examples/', `PORT=${port} node ${root}examples/`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)

function start(commands: string): Running {
  const program = inBackground(shell, here(commands))
  running.push(program)
  return program
}

it('webhooks: a genuine delivery is handled, a forged one is refused', { timeout: 60_000 }, async () => {
  const receiver = start(webhooks)
  await receiver.shows(`Receives at http://127.0.0.1:${port}/`, 30_000)
  const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
  expect(forged.status).toBe(401)
  const publish = `curl -s $COUNTERSIGN_URL/api/v1/events -H "Authorization: Bearer $COUNTERSIGN_KEY" \
    -H 'Content-Type: application/json' -d '{"id":"pay-1","type":"payment.completed","data":{"paymentId":"pay-1","amount":1}}'`
  await inShell(shell, publish)
  await receiver.shows('payment.completed pay-1', 30_000)
})
