/** The guide for receivers: its programs receive real deliveries, and its commands run one after another. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventTypeNames } from '@countersign/contract/webhook-events.ts'
import { readConfig } from '@countersign/server/config/config.ts'
import { deliveryHeaders, envelopeBody, signingKey } from '@countersign/server/features/automation/webhooks/signing.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { inBackground, inShell, plainEnvironment, type Running } from '../journeys/shell.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { blocksOf, read, root } from './blocks.ts'

const guide = read('docs/guides/webhooks.md')
const programs = blocksOf(guide).filter(({ label }) => label.startsWith('receiver'))
const commands = blocksOf(guide).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
const used = new Set<string>()

let server: TestServer
let key: string
let folder: string
let hookPort: number
let id = ''
let receiver: Running | undefined

beforeAll(async () => {
  server = await startServer({ jobs: true, env: localNetworks })
  const center = await server.world.center()
  key = await server.world.key(center, { scopes: ['proof:write', 'events:write'] })
  hookPort = await freePort()
  // Inside the repository, where Node resolves the library.
  await mkdir(join(root, '.dev'), { recursive: true })
  folder = await mkdtemp(join(root, '.dev/docs-webhooks-'))
  for (const { label, text } of programs) await writeFile(join(folder, label), here(text))
})
afterAll(async () => {
  await stop()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const here = (text: string): string =>
  text.replaceAll('localhost:3000', `127.0.0.1:${server.services.config.port}`).replaceAll('8080', String(hookPort))

const shell = () => ({ folder, env: plainEnvironment({ KEY: key, ID: id }) })

/** The only command of the page that contains this text. */
function command(part: string): string {
  const [found, ...others] = commands.filter((text) => text.includes(part))
  if (!found || others.length > 0) throw new Error(`the guide does not have exactly one command with "${part}"`)
  used.add(found)
  return here(found)
}
const run = (part: string, andThen = '') => inShell(shell(), command(part) + andThen, 30_000)
const answer = async (part: string) => JSON.parse(await run(part))

const withFirstSecret = `SECRET=$(node -p 'require("./webhook.json").signingSecret')`
async function start(program = 'receiver.mjs', secret = withFirstSecret): Promise<Running> {
  const text = command(secret).replace(
    'node receiver.mjs',
    `${program.endsWith('.py') ? 'python3' : 'node'} ${program}`,
  )
  const started = inBackground(shell(), text)
  receiver = started
  await started.shows('listening', 10_000)
  return started
}
async function stop(): Promise<void> {
  await receiver?.interrupt(10_000)
  receiver = undefined
}
const ping = async (at: Running) => at.shows(`new ping ${(await answer('/test"')).data.eventId}`, 10_000)

const publish = async (event: { id: string; type: string }) => {
  const published = await server.call('POST', '/api/v1/events', { token: key, body: { ...event, data: {} } })
  expect(published.body.data).toEqual({ ...event, deliveries: 1 })
}

async function delivered(eventId: string) {
  for (let tries = 0; tries < 100; tries++) {
    const { data } = await answer('/deliveries?limit=20')
    const found = data.find((each: { eventId: string }) => each.eventId === eventId)
    if (found) return found
    await sleep(100)
  }
  throw new Error(`${eventId} was not tried`)
}

it('the registration returns an id and the secret', async () => {
  id = (await run('> webhook.json', '\necho "$ID"')).trim()
  expect(id).toMatch(/^whk_/)
  expect(JSON.parse(await readFile(join(folder, 'webhook.json'), 'utf8'))).toMatchObject({
    id,
    active: true,
    signingSecret: expect.stringMatching(/^whsec_/),
  })
})

describe.each(programs.map(({ label }) => label))('%s', (program) => {
  it('receives the test event, recognizes a duplicate, and refuses a changed body', async () => {
    const started = await start(program)
    try {
      await ping(started)
      const { signingSecret } = JSON.parse(await readFile(join(folder, 'webhook.json'), 'utf8'))
      const eventId = 'twice-1'
      const createdAt = new Date().toISOString()
      const text = envelopeBody({ id: eventId, type: 'payment.failed', createdAt, data: '{"amount":1}', attempt: 1 })
      const secrets = [signingKey(signingSecret)]
      const headers = deliveryHeaders({ body: Buffer.from(text), eventId, attempt: 1, at: Date.now(), secrets })
      const post = async (body: string) =>
        (await fetch(`http://127.0.0.1:${hookPort}/`, { method: 'POST', headers, body })).status
      expect(await post(text.replace('"amount":1', '"amount":9'))).toBe(401)
      expect(started.output()).not.toContain(eventId)
      expect([await post(text), await post(text)]).toEqual([204, 204])
      await started.shows(eventId, 5000)
      expect(started.output().split(eventId)).toHaveLength(2)
    } finally {
      await stop()
    }
  })
})

describe('the commands, with a receiver', () => {
  it('publish an event, and show its delivery and its attempts', async () => {
    const started = await start()
    const published = await answer('"amount": 45000')
    expect(published.data).toEqual({ id: 'pay-881-completed', type: 'payment.completed', deliveries: 1 })
    await started.shows('new payment.completed pay-881-completed', 10_000)
    expect(await delivered('pay-881-completed')).toMatchObject({ status: 'success', responseStatus: 204, attempts: 1 })
    expect((await answer('/attempts"')).data).toMatchObject([{ attempt: 1, status: 'success', error: null }])
    await stop()
  })

  it('retry an event that failed while the receiver was down', async () => {
    await publish({ id: 'pay-882-failed', type: 'payment.failed' })
    const failed = await delivered('pay-882-failed')
    expect(failed).toMatchObject({ status: 'failed', responseStatus: null, attempts: 1 })
    expect(Date.parse(failed.nextRetryAt) - Date.parse(failed.deliveredAt)).toBe(30_000)
    const started = await start()
    expect((await answer('/retry')).data).toEqual({
      eventId: 'pay-882-failed',
      deliveries: [{ webhookId: id, status: 'scheduled' }],
    })
    await started.shows('new payment.failed pay-882-failed', 10_000)
  })

  it('recover the events of an inactive webhook', async () => {
    expect(await answer(`'{"active": false}'`)).toMatchObject({ id, active: false })
    await publish({ id: 'pay-883-completed', type: 'payment.completed' })
    await sleep(1000)
    expect(receiver?.output()).not.toContain('pay-883-completed')
    const said = await run('/recover"')
    expect(said).toContain('"active":true')
    expect(said).toMatch(/"status":"(running|completed)","total":1,/)
    await receiver?.shows('new payment.completed pay-883-completed', 10_000)
  })

  it('rotate the secret without losing an event, with the old or the new secret at the receiver', async () => {
    await run('/rotate-secret"')
    await ping(receiver as Running)
    await stop()
    await ping(await start('receiver.mjs', `SECRET="$(node -p 'require("./rotated.json").signingSecret')`))
    await stop()
    await ping(await start('receiver.py'))
    await stop()
  })

  it('list every event type of the table', async () => {
    const { data } = await answer('/event-types')
    expect(data.map(({ type }: { type: string }) => type)).toEqual(eventTypeNames)
    const [, section = ''] = guide.split('\n## Event types\n')
    expect([...section.matchAll(/^\| `([a-z.]+)` \|/gm)].map(([, type]) => type)).toEqual(eventTypeNames)
  })

  it('all run in this test', () => {
    expect(commands.filter((each) => !used.has(each))).toEqual([])
  })
})

it('the table of waits is the schedule that the server has by default', () => {
  const seconds = { second: 1, minute: 60, hour: 3600 } as const
  const waits = [...guide.matchAll(/^\| (\d) \| (\d+) (second|minute|hour)s? \|$/gm)].map(
    ([, , count, unit]) => Number(count) * seconds[unit as keyof typeof seconds],
  )
  const config = readConfig({ DATABASE_URL: 'postgres://h/d', SECRET_KEY: Buffer.alloc(32).toString('base64') })
  expect(waits).toEqual(config.webhooks.retryDelays)
})

describe('the SQL of the runbook', () => {
  const statements = blocksOf(read('docs/runbook.md')).flatMap(({ language, text }) =>
    language === 'sql' ? [text] : [],
  )

  it.each(statements)('%s', async (statement) => {
    expect(await server.world.query(statement, [], true)).toBeInstanceOf(Array)
  })

  it('exists', () => {
    expect(statements.length).toBeGreaterThan(0)
  })
})
