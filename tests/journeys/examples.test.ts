/** The examples as their README starts them, against a server with demo data. */
import { createHmac } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { refundPolicy } from '../../tools/demo-agent/refund-policy.ts'
import { type Demo, type DemoAccount, seedDemo } from '../../tools/demo-data.ts'
import { freePort, withClient } from '../../tools/postgres.ts'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { dbosPackages } from '../support/dbos.ts'
import { mcpPackages } from '../support/mcp.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { openBrowser } from './browser.ts'
import { approveAsInstructor, exampleForNode, exampleToInstall, followed } from './next-example.ts'
import { followServerlessGuide } from './serverless-guide.ts'
import { inBackground, inShell, plainEnvironment, type Running, type Shell } from './shell.ts'

const [variables = '', mcpClient = '', webhooks = '', billingKey = '', billing = '', outsideEngine = ''] = blocksOf(
  read('examples/README.md'),
).map(({ text }) => text)
let server: TestServer
let folder: string
let shell: Shell
let port: number
let demo: Demo
const running: Running[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-example-'))
  const BILLING_KEYS = await inShell({ folder, env: plainEnvironment() }, billingKey)
  server = await startServer({ jobs: true, env: { ...localNetworks, BILLING_KEYS } })
  port = await freePort()
  const { databaseUrl, port: serverPort } = server.services.config
  const env = plainEnvironment({ DATABASE_URL: databaseUrl, PORT: String(serverPort) })
  const printed = await inShell(
    { folder, env },
    here(`${variables}\nprintf '%s ' "$COUNTERSIGN_API_KEY" "$CENTER_KEY" "$COUNTERSIGN_CENTER"`),
  )
  const [COUNTERSIGN_API_KEY = '', CENTER_KEY = '', COUNTERSIGN_CENTER = ''] = printed.split(' ')
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  const keys = { COUNTERSIGN_API_KEY, CENTER_KEY }
  const own = { COUNTERSIGN_URL: server.url, ...keys, COUNTERSIGN_CENTER, COUNTERSIGN_TRUST: policy }
  shell = { folder, env: { ...env, ...own } }
  demo = await seedDemo(server.services.config)
  await refundPolicy(server.url, demo.accounts.admin as DemoAccount)
}, 180_000)
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

const waiting = { timeout: 30_000, interval: 100 }
const block = (label: string) => blocksOf(read('examples/README.md')).find((each) => each.label === label)?.text ?? ''

/** A webhook of the center for decisions of people. */
async function registered(url: string): Promise<{ signingSecret: string }> {
  const body = { url, events: ['agent.approval.decided'] }
  return (await server.call('POST', '/api/v1/webhooks', { token: shell.env.CENTER_KEY ?? '', body })).body
}

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
  const publish = `curl -s $COUNTERSIGN_URL/api/v1/events -H "Authorization: Bearer $CENTER_KEY" \
    -H 'Content-Type: application/json' -d '{"id":"pay-1","type":"payment.completed","data":{"paymentId":"pay-1","amount":1}}'`
  await inShell(shell, publish)
  await receiver.shows('payment.completed pay-1', 30_000)
})

it('billing: webhooks of the provider move the subscription, and forged ones do not', { timeout: 60_000 }, async () => {
  const [center] = demo.centers
  const status = async () =>
    (
      await server.world.query<{ status: string }>('select status from directory.subscriptions where center_id = $1', [
        center?.id,
      ])
    )[0]?.status
  const secret = Buffer.from(/whsec_(\S+)/.exec(billing)?.[1] ?? '', 'base64')
  const deliver = async (id: string, type: string, sign = secret) => {
    const body = JSON.stringify({ type, timestamp: new Date(), data: { customer: 'customer-1', invoice: `in-${id}` } })
    const time = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', sign).update(`${id}.${time}.${body}`).digest('base64')
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
  }
  await Promise.all(running.splice(0).map((each) => each.interrupt(10_000)))
  const adapter = start(billing)
  await adapter.shows(`Receives at http://127.0.0.1:${port}/`, 30_000)
  const before = await status()
  expect([await deliver('a', 'invoice.failed', Buffer.from('forged')), await status()]).toEqual([401, before])
  expect([await deliver('b', 'invoice.failed'), await status()]).toEqual([204, 'PAST_DUE'])
  expect([await deliver('c', 'invoice.paid'), await status()]).toEqual([204, 'ACTIVE'])
  expect([await deliver('d', 'customer.renamed'), await status()]).toEqual([204, 'ACTIVE'])
})

it('mcp-client: asks, waits for a person, and acts once', { timeout: 60_000 }, async () => {
  const example = join(folder, 'mcp-client')
  await cp(`${root}examples/mcp-client`, example, { recursive: true })
  await symlink(join(await mcpPackages(), 'node_modules'), join(example, 'node_modules'))
  const agent = inBackground({ ...shell, folder: example }, mcpClient)
  running.push(agent)
  await agent.shows('A person decides at http', 30_000)
  await approveAsInstructor(server.url, demo, /http\S+/.exec(agent.output())?.[0] ?? '')
  await agent.shows('Refunds 820,000 won\nallowed: evt_', 30_000)
})

it('outside-engine: a workflow that is killed while a person decides goes on, and refunds once', {
  timeout: 90_000,
}, async () => {
  await Promise.all(running.splice(0).map((each) => each.interrupt(10_000)))
  const example = join(folder, 'outside-engine')
  await cp(`${root}examples/outside-engine`, example, { recursive: true })
  await mkdir(join(example, 'node_modules/@countersign'), { recursive: true })
  await symlink(join(await dbosPackages(), 'node_modules/@dbos-inc'), join(example, 'node_modules/@dbos-inc'))
  await symlink(`${root}packages/sdk`, join(example, 'node_modules/@countersign/sdk'))
  const { databaseUrl } = server.services.config
  const name = `${new URL(databaseUrl).pathname.slice(1)}_engine`
  await withClient(databaseUrl, (client) => client.query(`create database ${name}`))
  const ENGINE_DATABASE_URL = `${databaseUrl.slice(0, databaseUrl.lastIndexOf('/'))}/${name}`
  const engineShell = { folder: example, env: { ...shell.env, ENGINE_DATABASE_URL, PORT: String(port) } }
  // The second start has the webhook of the first.
  const first = inBackground(
    engineShell,
    here(outsideEngine).replace(
      'node engine.ts',
      'echo "$SECRET" > secret; echo "$COUNTERSIGN_TRUST" > policy; exec node engine.ts',
    ),
  )
  try {
    await first.shows('A person decides at http', 60_000)
    const address = /http\S+approve\S+/.exec(first.output())?.[0] ?? ''
    first.kill()
    const second = inBackground(
      engineShell,
      'COUNTERSIGN_TRUST="$(cat policy)" SECRET=$(cat secret) exec node engine.ts',
    )
    running.push(second)
    await second.shows('Receives at', 30_000)
    await approveAsInstructor(server.url, demo, address)
    await second.shows('result: Refunded 820000 won for order 1044, as evt_', 60_000)
    expect(second.output()).not.toContain('A person decides')
  } finally {
    for (const each of running.splice(0)) await each.interrupt(10_000)
    await withClient(databaseUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
})

it('next-agent: the run ends while a person decides, the webhook continues it, and the page gets a stream', {
  timeout: 120_000,
}, async () => {
  const example = await exampleForNode(folder)
  const app = `http://127.0.0.1:${port}`
  const { signingSecret } = await registered(`${app}/api/webhook`)
  const env = { ...shell.env, PORT: String(port), WEBHOOK_SECRET: signingSecret }
  const application = inBackground({ folder: example, env }, 'exec node serve.mjs')
  running.push(application)
  await application.shows('Ready', 30_000)
  const stream = await followed(`${app}/api/runs/order-1041`)
  await fetch(`${app}/api/runs/order-1041`, { method: 'POST', body: 'Refund order 1041: 820000 won' })
  await vi.waitFor(() => expect(stream.last()).toHaveProperty('approvalUrl'), waiting)
  expect((await fetch(`${app}/api/webhook`, { method: 'POST', body: '{}' })).status).toBe(401)
  await approveAsInstructor(server.url, demo, stream.last().approvalUrl ?? '')
  await vi.waitFor(() => expect(stream.last()).toEqual({ ended: true }), waiting)
  expect(stream.text()).toBe('Refunded 820,000 won for order 1041.')
  const messages: { role: string }[] = JSON.parse(await readFile(join(example, '.runs/order-1041.json'), 'utf8'))
  // The model was asked twice, however long the person took.
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  stream.close()
  await Promise.all(running.splice(0).map((each) => each.interrupt(10_000)))
})

it.runIf(process.env.TEST_LONG)('next-agent: the application in a browser', { timeout: 600_000 }, async () => {
  const env = { ...shell.env, NEXT_TELEMETRY_DISABLED: '1' }
  const own = { env, folder: await exampleToInstall(folder, env) }
  const browser = await openBrowser()
  const [commands] = blocksOf(read('examples/next-agent/README.md')).filter(({ language }) => language === 'sh')
  const application = inBackground(own, (commands?.text ?? '').replaceAll('3001', String(port)))
  try {
    await application.shows('Ready', 300_000)
    const page = await browser.newPage()
    await page.goto(`http://localhost:${port}/`, { waitUntil: 'networkidle' })
    await page.getByLabel('Order').fill('1042')
    await page.getByRole('button', { name: 'Ask the agent' }).click()
    const link = page.getByRole('link', { name: 'Open the decision' })
    await approveAsInstructor(server.url, demo, (await link.getAttribute('href')) ?? '')
    await page.getByText('Refunded 820,000 won for order 1042.').waitFor()
  } finally {
    await application.interrupt(10_000)
    await browser.close()
  }
})

it('serverless: the guide from an empty folder to a refund that a webhook has started', { timeout: 300_000 }, () =>
  followServerlessGuide(shell, port, (approvalUrl) => approveAsInstructor(server.url, demo, approvalUrl)),
)

it('queue-worker: a job that waits outlives its worker, and the webhook retries it', { timeout: 120_000 }, async () => {
  const { databaseUrl } = server.services.config
  const name = `${new URL(databaseUrl).pathname.slice(1)}_queue`
  await withClient(databaseUrl, (client) => client.query(`create database ${name}`))
  const QUEUE_DATABASE_URL = `${databaseUrl.slice(0, databaseUrl.lastIndexOf('/'))}/${name}`
  const own = { ...shell, env: { ...shell.env, QUEUE_DATABASE_URL, PORT: String(port) } }
  const worker = `node ${root}examples/queue-worker/worker.ts`
  const keepSecret = here(block('queue-worker')).replace('node worker.ts', `echo "$SECRET" > secret; exec ${worker}`)
  const first = inBackground(own, keepSecret)
  try {
    await first.shows('waiting: http', 60_000)
    const address = /http\S+approve\S+/.exec(first.output())?.[0] ?? ''
    const states = 'select state::text from pgboss.job where name = $1'
    await vi.waitFor(async () => {
      const { rows } = await withClient(QUEUE_DATABASE_URL, (client) => client.query(states, ['refunds']))
      expect(rows).toEqual([{ state: 'failed' }])
    }, waiting)
    first.kill()
    running.push(inBackground(own, `SECRET=$(cat secret) exec ${worker}`))
    await running[0]?.shows('Receives at', 30_000)
    await approveAsInstructor(server.url, demo, address)
    await running[0]?.shows('refunded 820,000 won for order 1045 (evt_', 60_000)
  } finally {
    for (const each of running.splice(0)) await each.interrupt(20_000)
    await withClient(databaseUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
})

it('cron-job: pays what it may, and the next run what a person has approved', { timeout: 60_000 }, async () => {
  const commands = here(block('cron-job')).replace('node ', `node ${root}examples/cron-job/`)
  const tonight = await inShell(shell, commands)
  expect(tonight).toMatch(/^paid +7: Park Paper got 90,000 won \(evt_\w+\)\nwaiting +8: http\S+\n$/)
  await approveAsInstructor(server.url, demo, /http\S+/.exec(tonight)?.[0] ?? '')
  expect(await inShell(shell, commands)).toMatch(/^done +7: .*\npaid +8: Kim Print got 4,500,000 won/)
})

it('plain-fetch: asks, waits for a person, and acts once, in 40 lines', { timeout: 60_000 }, async () => {
  expect(read('examples/plain-fetch/refund.mjs').trim().split('\n').length).toBeLessThanOrEqual(40)
  const command = here(block('plain-fetch')).replace('node ', `node ${root}examples/plain-fetch/`)
  const program = inBackground(shell, `exec ${command}`)
  await program.shows('A person decides at http', 30_000)
  await approveAsInstructor(server.url, demo, /http\S+/.exec(program.output())?.[0] ?? '')
  await program.shows('Refunded 820000 won for order 1046', 30_000)
  await expect(inShell(shell, command)).rejects.toThrow(/409/)
  await expect(inShell(shell, command.replace('820000', '8200000'))).rejects.toThrow(/409 CONFLICT/)
})

it('are each under 100 lines of their own, without imports, comments and scripted models', () => {
  const examples = new Map<string, number>()
  for (const file of globSync('examples/*/**/*.{ts,tsx,mjs}', { cwd: root })) {
    if (/node_modules|model\.ts|next\.config|layout/.test(file)) continue
    const [, name = ''] = file.split('/')
    const lines = read(file)
      .split('\n')
      .filter((line) => !/^\s*($|\/\/|\/?\*|import )/.test(line))
    examples.set(name, (examples.get(name) ?? 0) + lines.length)
  }
  expect([...examples.keys()].sort()).toEqual([
    'billing',
    'cron-job',
    'incidents',
    'mcp-client',
    'next-agent',
    'outside-engine',
    'plain-fetch',
    'queue-worker',
    'serverless',
    'webhooks',
  ])
  expect([...examples].filter(([, lines]) => lines >= 100)).toEqual([])
})

it('serverless: the guide shows the example', () => {
  for (const page of ['docs/guides/serverless.md', 'docs/ko/guides/serverless.md']) {
    const shown = blocksOf(read(page)).filter(({ label }) => /\.ts$/.test(label))
    expect(shown.map(({ label, text }) => [label, text])).toEqual(
      ['function.ts', 'local.ts'].map((file) => [file, read(`examples/serverless/${file}`)]),
    )
  }
})
