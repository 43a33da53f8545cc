/** Webhooks to real brokers, the worker and both brokers killed once; `npm run chaos -- destinations` does it with 10,000 events. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Brokers, openBrokers } from '@countersign/server/lib/brokers/pool.ts'
import { makeCertificates } from '@countersign/server/lib/test/hostile-servers.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { inBackground, plainEnvironment } from '../journeys/shell.ts'
import { brokerLogin, startNats, startRabbit } from '../support/brokers.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { destinationSettings } from './destinations.ts'
import {
  type BothBrokers,
  type DestinationGround,
  openDestinations,
  publishPayments,
  readLedger,
  route,
  untilRecorded,
  urls,
} from './destinations-setup.ts'
import { type KillableServer, startKillable } from './killable-server.ts'

const certificates = makeCertificates()
let server: TestServer
let brokers: BothBrokers
let ground: DestinationGround
const workers: KillableServer[] = []
const pools: Brokers[] = []

beforeAll(async () => {
  const started = Promise.all([startNats(certificates.good), startRabbit(certificates.good)])
  server = await startServer({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32' } })
  const [nats, rabbit] = await started
  brokers = { nats, rabbit }
  ground = await openDestinations(server.world, server, brokers)
}, 120_000)
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  for (const pool of pools) await pool.close()
  await server.close()
  await Promise.all([brokers.nats.close(), brokers.rabbit.close()])
}, 60_000)

const worker = (env: Record<string, string> = {}) => {
  const { config } = server.services
  return startKillable({
    ...destinationSettings,
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    PUBLIC_URL: config.publicUrl,
    SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
    ...env,
  })
}

it('loses no event under kill -9 of the worker and of both brokers, and repeats carry the same id', async () => {
  await publishPayments(ground, 10)
  // Dies after the first acknowledgment of a broker, before anything is recorded.
  const doomed = await worker({ FAILPOINT: 'deliver.sent' }).catch((error: Error) => {
    if (!/\(SIGKILL\) before it was ready/.test(error.message)) throw error
    return null
  })
  if (doomed) expect(await doomed.ended).toBe('SIGKILL')
  workers.push(await worker())
  // The leases of the dead worker expire first.
  expect(await untilRecorded(ground, 60_000)).toBe(0)
  await publishPayments(ground, 5)
  await Promise.all([brokers.nats.kill(), brokers.rabbit.kill()])
  await publishPayments(ground, 15)
  // Without it the kills would hit no work, and the run would prove nothing.
  await vi.waitFor(
    async () => {
      const failed = `select from cell.webhook_attempts where error in ('connect', 'reset')`
      expect((await server.world.query(failed)).length).toBeGreaterThan(0)
    },
    { timeout: 30_000, interval: 100 },
  )
  await Promise.all([brokers.nats.start(), brokers.rabbit.start()])
  expect(await untilRecorded(ground, 90_000)).toBe(0)
  const { faults, nats, rabbitmq } = await readLedger(ground)
  expect(faults).toEqual([])
  expect([nats.stored, rabbitmq.stored - rabbitmq.repeated]).toEqual([30, 30])
  const answers = await server.world.query<{ excerpt: string }>(
    `select excerpt from cell.webhook_attempts where error is null and excerpt like '{"stream":"EVENTS","seq":%' limit 1`,
  )
  expect(answers).toHaveLength(1)
}, 240_000)

it('the programs of the guide verify what the brokers hold', async () => {
  await mkdir(join(root, '.dev'), { recursive: true })
  const folder = await mkdtemp(join(root, '.dev/docs-destinations-'))
  const { user, password } = brokerLogin
  const { nats } = brokers
  const env = {
    nats: {
      SECRET: ground.secrets.nats,
      NATS_SERVER: `${nats.host}:${nats.port}`,
      NATS_USER: user,
      NATS_PASSWORD: password,
    },
    rabbitmq: { SECRET: ground.secrets.rabbitmq, AMQP_URL: urls(brokers).rabbitmq },
  }
  const programs = blocksOf(read('docs/guides/destinations.md')).filter(({ label }) => label.endsWith('.mjs'))
  expect(programs.map(({ label }) => label)).toEqual(['nats.mjs', 'rabbitmq.mjs'])
  const running = await Promise.all(
    programs.map(async ({ label, text }) => {
      await writeFile(join(folder, label), text)
      const own = env[label.replace('.mjs', '') as keyof typeof env]
      return inBackground({ folder, env: plainEnvironment(own) }, `exec node ${label}`)
    }),
  )
  try {
    await publishPayments(ground, 1)
    for (const each of running) await each.shows('new payment.completed payment-30', 30_000)
  } finally {
    for (const each of running) await each.interrupt(10_000)
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)

describe('what a broker answers', () => {
  const right = `${brokerLogin.user}:${encodeURIComponent(brokerLogin.password)}`
  const { subject, exchange, routingKey } = route
  const noStream = { subject: 'nowhere' }
  const toQueue = { exchange, routingKey }
  const trusting = { ca: certificates.ca }

  it.each([
    ['nats', 'nats:', '', right, { subject }, {}, null],
    ['nats', 'tls:', '', right, noStream, trusting, 'unroutable'],
    ['nats', 'tls:', '', right, { subject }, {}, 'tls'],
    ['nats', 'nats:', '', right, noStream, {}, 'unroutable'],
    ['nats', 'nats:', '', 'sender:wrong', { subject }, {}, 'credentials'],
    ['nats', 'nats:', '', null, { subject }, {}, 'credentials'],
    ['rabbitmq', 'amqp:', '', right, toQueue, {}, null],
    ['rabbitmq', 'amqps:', '', right, toQueue, trusting, null],
    ['rabbitmq', 'amqps:', '', right, toQueue, {}, 'tls'],
    ['rabbitmq', 'amqp:', '', right, { exchange: 'nowhere', routingKey }, {}, 'unroutable'],
    ['rabbitmq', 'amqp:', '', right, { exchange, routingKey: 'nothing' }, {}, 'unroutable'],
    ['rabbitmq', 'amqp:', '', right, { exchange: 'amq.rabbitmq.trace', routingKey }, {}, 'credentials'],
    ['rabbitmq', 'amqp:', '', 'sender:wrong', toQueue, {}, 'credentials'],
    ['rabbitmq', 'amqp:', '/nowhere', right, toQueue, {}, 'credentials'],
  ] as const)('%s over %s%s as %s to %o with %o: %s', async (type, scheme, path, userinfo, to, options, error) => {
    const broker = type === 'nats' ? brokers.nats : brokers.rabbit
    const pool = openBrokers({ allowedNetworks: ['127.0.0.2/32'], dnsServers: [], ...options })
    pools.push(pool)
    const port = /^(tls|amqps)/.test(scheme) ? broker.tlsPort : broker.port
    const url = `${scheme}//${broker.host}:${port}${path}`
    const headers = { 'webhook-timestamp': '1790000000' }
    const message = { id: 'e-1', deliveryId: 'd-1', headers, body: Buffer.from('{}'), route: to }
    const answer = await pool.publish({ centerId: 1, webhookId: 'w', type, url, userinfo }, message)
    expect(answer.error).toBe(error)
    expect(answer.message === null).toBe(error === null)
  })
})
