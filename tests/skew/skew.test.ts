/**
 * The previous version of the server on the schema of this one, as both run during a deployment. TEST_LONG=1
 * (`npm run test:skew`) makes both versions seal onto the same chains in turn.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../tools/postgres.ts'
import { releasedIn } from '../../tools/release/migrations.ts'
import { type ChildServer, spawnBeside } from '../support/child-server.ts'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import { approver, openProofFixture, type ProofFixture, sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { checkOut, type PreviousVersion, previousCommit } from './previous-version.ts'

const root = new URL('../../', import.meta.url).pathname
let previous: PreviousVersion
let server: TestServer
let fixture: ProofFixture
let consumer: Consumer
let old: ChildServer | undefined
let approverKey: string
/** Migrations since the previous version with which it does not work: both do not run beside each other then. */
let incompatible: readonly string[]

const startPrevious = () => spawnBeside(server, { ROLE: 'all', ...localNetworks }, previous.folder)

function incompatibleSince({ migrations }: PreviousVersion): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return ['common', 'directory', 'cell'].flatMap((set) => {
    const folder = join(root, 'apps/server/database', set)
    return readdirSync(folder)
      .filter((file) => file.endsWith('.sql') && !known.has(`${set}/${file.slice(0, -4)}`))
      .filter((file) => readFileSync(join(folder, file), 'utf8').startsWith('-- incompatible'))
      .map((file) => `${set}/${file.slice(0, -4)}`)
  })
}

/**
 * Files that are not released are edited in place, and the previous version would refuse the checksums. This is the
 * table as it would be if every change were a new file.
 */
async function showAsAdditions(): Promise<void> {
  const { config } = server.services
  const rows = JSON.stringify(previous.migrations)
  for (const url of new Set([config.databaseUrl, ...config.cells.values()])) {
    await withClient(url, (client) =>
      client.query(
        `insert into countersign_migrations.applied (name, checksum, incompatible)
         select name, checksum, incompatible from json_to_recordset($1) as r (name text, checksum text, incompatible boolean)
         on conflict (name) do update set checksum = excluded.checksum`,
        [rows],
      ),
    )
  }
}

beforeAll(async () => {
  previous = checkOut()
  server = await startServer()
  if (!previous.released) await showAsAdditions()
  fixture = await openProofFixture(server)
  approverKey = await server.world.key(fixture.center, { scopes: ['proof:approve'] })
  consumer = await startConsumer()
  incompatible = incompatibleSince(previous)
  if (incompatible.length === 0) old = await startPrevious()
}, 280_000)
afterAll(async () => {
  await old?.stop()
  await consumer?.close()
  await server?.close()
  previous?.remove()
})

const ask = async (method: string, path: string, token: string, body?: unknown) => {
  const answer = await fetch(`${old?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { data } = (await answer.json()) as { data: Record<string, unknown> & { id: string } }
  return { status: answer.status, data }
}

describe('the previous version on the new schema', () => {
  it('has no released migration that the list of this version lacks', ({ skip }) => {
    if (!previous.released) skip('The previous version is not a release.')
    const known = Object.fromEntries(previous.migrations.map(({ name, checksum }) => [name, checksum]))
    expect(releasedIn(root)).toMatchObject(known)
  })

  it('is refused where a migration since is incompatible, and says so', async ({ skip }) => {
    if (incompatible.length === 0) skip('No migration since is incompatible.')
    await expect(startPrevious()).rejects.toThrow()
  })

  it('is ready', async ({ skip }) => {
    if (incompatible.length > 0) skip(`Incompatible: ${incompatible.join(', ')}.`)
    expect((await fetch(`${old?.url}/health/ready`)).status).toBe(200)
  })

  it('registers a webhook, records, decides, approves and delivers', async ({ skip }) => {
    if (incompatible.length > 0) skip(`Incompatible: ${incompatible.join(', ')}.`)
    const key = await server.world.key(fixture.center, { scopes: ['proof:write', 'events:write'] })
    const webhook = await ask('POST', '/api/v1/webhooks', key, { url: consumer.url, events: ['dpu.sealed'] })
    expect(webhook.status).toBe(201)
    const recorded = await ask('POST', '/api/v1/decision-events', key, sampleEvent())
    const decided = await ask('POST', '/api/v1/agents/decide', key, sampleDecision())
    const path = `/api/v1/decision-events/${recorded.data.id}/approvals`
    const approved = await ask('POST', path, approverKey, { ...approver('therapist-4'), result: 'approved' })
    expect([recorded.status, decided.status, approved.status]).toEqual([201, 201, 200])
    expect(decided.data).toMatchObject({ outcome: 'completed', dpu: { status: 'sealed' } })
    await expect
      .poll(() => consumer.received.map(({ envelope }) => envelope.type), { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['dpu.sealed']))
  })

  it('and this version continue the chains of each other', async ({ skip }) => {
    if (incompatible.length > 0) skip(`Incompatible: ${incompatible.join(', ')}.`)
    for (let turn = 0; turn < (process.env.TEST_LONG ? 25 : 2); turn++) {
      const [theirs, ours] = await Promise.all([
        ask('POST', '/api/v1/agents/decide', fixture.key, sampleDecision()),
        fixture.decide(),
      ])
      expect([theirs.status, ours.status]).toEqual([201, 201])
    }
    const path = '/api/dpu/verify-chain?mode=records'
    const ours = await fixture.platform('GET', path)
    const theirs = await ask('GET', path, fixture.token)
    expect([ours.body.data.valid, theirs.data.valid]).toEqual([true, true])
  })
})

describe('a checkout without history', () => {
  it('fails and says what to do', () => {
    const shallow = mkdtempSync(join(tmpdir(), 'countersign-shallow-'))
    try {
      execFileSync('git', ['init', '--quiet', shallow])
      expect(() => checkOut(previousCommit(), shallow)).toThrow(
        /^This checkout lacks the commit [0-9a-f]{40} that tools\/previous-version names\. Get its history: git fetch --unshallow\.$/,
      )
    } finally {
      rmSync(shallow, { recursive: true, force: true })
    }
  })
})
