/** The Python of the other guides, from their pages, against a real server. */
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { Countersign } from '../../packages/sdk/countersign.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { compiled, folder, python, temporary } from './environment.ts'

const run = promisify(execFile)
let interpreter: string
let server: TestServer
let fixture: ProofFixture
let place: string

beforeAll(async () => {
  interpreter = await python()
  server = await startServer()
  fixture = await openProofFixture(server)
  place = await temporary()
}, 600_000)
afterAll(async () => {
  await server?.close()
  if (place) await rm(place, { recursive: true, force: true })
})

/** The program of a page, which is the same in both languages. */
function programOf(guide: string, file: string): string {
  const [english, korean] = ['docs/guides', 'docs/ko/guides'].map(
    (each) => blocksOf(read(`${each}/${guide}.md`)).find(({ label }) => label === file)?.text,
  )
  expect(english, guide).toBeDefined()
  expect(korean, guide).toBe(english)
  return english ?? ''
}

async function said(
  guide: string,
  file: string,
  more: object = {},
  before: readonly string[] = [],
  after: readonly string[] = [],
): Promise<string> {
  await writeFile(join(place, file), programOf(guide, file))
  const env = {
    ...{ PATH: process.env.PATH, HOME: place, PYTHONPATH: join(folder, 'src'), ...compiled },
    ...{ COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: fixture.key, ...more },
  }
  return (await run(interpreter, [...before, file, ...after], { cwd: place, env })).stdout.trim()
}

it('pagination, retries and idempotency', { timeout: 120_000 }, async () => {
  for (let count = 0; count < 5; count++) await fixture.record()
  expect(await said('pagination', 'list.py')).toBe('5 of 5')
  expect(await said('retries', 'retry.py')).toBe('plan-102-2026-11-17')
  expect(await said('idempotency', 'twice.py')).toBe('True')
})

it('testing, with the fake server and in a sandbox', { timeout: 120_000 }, async () => {
  const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']
  expect(await said('testing', 'test_refunds.py', {}, pytest)).toContain('1 passed')
  const made = await fixture.platform('POST', `/api/centers/${fixture.center.domain}/sandboxes`, { name: 'Tests' })
  const TEST_KEY = made.body.data.key.key
  const policies = [{ name: 'Plans', match: { actionTypes: ['plan.*'] }, guards: { dualApproval: true } }]
  const imported = await fetch(`${server.url}/api/v1/policies/import`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ version: 1, policies }),
  })
  expect(imported.status).toBe(200)
  expect(await said('testing', 'approve.py', { TEST_KEY })).toBe('sealed')
})

it('verification', { timeout: 120_000 }, async () => {
  const client = new Countersign({ baseUrl: server.url, apiKey: fixture.key })
  const { id } = await fixture.record()
  await client.approvals.create(id, { approver: { id: 'kim', type: 'human' }, result: 'approved' })
  const { text } = await client.evidence.export(id.replace('evt_', 'evd_')).withResponse()
  await writeFile(join(place, 'proof.json'), text ?? '')
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  await writeFile(join(place, 'countersign.trust'), policy)
  expect(await said('verify', 'check.py')).toBe('True holds\nkim claim')
})

/** The center, and whom its programs trust. */
async function trusted() {
  const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
  return { COUNTERSIGN_CENTER: String(fixture.center.id), COUNTERSIGN_TRUST: policy }
}
const waitingFor = (actionType: string) => {
  const when = [{ pointer: '/action/input/won', op: 'gt', value: 10_000 }]
  const match = { actionTypes: [actionType], when }
  return fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
}
const eventsOf = async (decisionId: string) =>
  (await new Countersign({ baseUrl: server.url, apiKey: fixture.key }).decisions.list({ decisionId })).data

it('a guard waits, runs once, and gives the sealed result afterwards', { timeout: 240_000 }, async () => {
  await waitingFor('refund')
  const running = said('guard', 'refund.py', await trusted())
  await vi.waitFor(async () => expect(await eventsOf('refund-1041')).toHaveLength(1), { timeout: 60_000 })
  const [event] = await eventsOf('refund-1041')
  expect((await fixture.approveAsMember(event?.id ?? '')).status).toBe(200)
  const result = 'Refunded 820000 won for order 1041'
  expect(await running).toMatch(new RegExp(`^waits: http\\S+/approve/${event?.id}\\n${result}$`))
  expect(await said('guard', 'refund.py', await trusted())).toBe(result)
  expect(await readFile(join(place, 'proof.json'), 'utf8')).toContain(event?.id.replace('evt_', 'evd_'))
})

it('an executor runs the approved amount, no other, and once', { timeout: 240_000 }, async () => {
  await waitingFor('money.transfer')
  const run = async (won: number) => said('execute', 'executor.py', await trusted(), [], [String(won)])
  expect(await run(82_000)).toBe('not now: waiting')
  const [event] = await eventsOf('transfer-7')
  expect((await fixture.approveAsMember(event?.id ?? '')).status).toBe(200)
  expect(await run(820_000)).toBe('not now: changed')
  expect(await run(82_000)).toBe('transferred 82000')
  expect(await run(82_000)).toBe('not now: done')
})

it('a stopped agent says so, and runs when the stop is lifted', { timeout: 240_000 }, async () => {
  const stopped = await fixture.platform('POST', '/api/freezes', { actorId: 'refund-agent', reason: 'A test' })
  expect(stopped.status).toBe(201)
  expect(await said('stop', 'stopped.py', await trusted())).toBe('Stopped. Try again later.')
  const lifted = await fixture.platform('POST', `/api/freezes/${stopped.body.data.id}/lift`, { reason: 'Checked' })
  expect(lifted.status).toBeLessThan(300)
  expect(await said('stop', 'stopped.py', await trusted())).toBe('Refunded 5000 won.')
})

it('a consumer takes what is signed, and nothing else', { timeout: 60_000 }, async () => {
  const { accepted } = JSON.parse(read('docs/formats/webhook-signatures.json'))
  await writeFile(join(place, 'consumer.py'), programOf('destinations', 'consumer.py'))
  const calls =
    'import consumer, json, sys; b, h = json.load(sys.stdin); print(consumer.handle(b.encode(), h), consumer.handle(b.encode() + b" ", h))'
  for (const { secret, body, headers, id } of accepted.slice(0, 3)) {
    const env = { ...process.env, PYTHONPATH: join(folder, 'src'), ...compiled, SECRET: secret }
    const child = run(interpreter, ['-c', calls], { cwd: place, env })
    child.child.stdin?.end(JSON.stringify([body, headers]))
    expect((await child).stdout).toMatch(new RegExp(`^new \\S+ ${id}\\nTrue False\\n$`))
  }
})
