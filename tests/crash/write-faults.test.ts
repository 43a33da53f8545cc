/** A database that answers and cannot commit: its disk is full, or its synchronous standby is away. Texts, logs and readiness say so. */
import { migrateAll } from '@countersign/server/data/migrate.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseUrl } from '../../tools/postgres.ts'
import { type Cluster, type Clusters, openClusters } from '../support/postgres-cluster.ts'
import { sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openWorld, type World } from '../support/world.ts'

let clusters: Clusters
let cluster: Cluster
let server: TestServer
let world: World
let token: string
let admin: pg.Client

beforeAll(async () => {
  clusters = openClusters()
  cluster = await clusters.make('main')
  await cluster.start()
  await cluster.query('create database chaos')
  const url = databaseUrl(cluster.url, 'chaos')
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  world = await openWorld(url)
  token = await world.key(await world.center())
  admin = new pg.Client({ connectionString: url })
  await admin.connect()
  server = await startServer({ env: { DATABASE_URL: url, CELLS: '' } })
}, 120_000)
afterAll(async () => {
  await admin?.end()
  await world?.close()
  await server?.close()
  await clusters?.close()
})

const record = () => server.call('POST', '/api/v1/decision-events', { token, body: sampleEvent(), impatient: true })
const decide = () => server.call('POST', '/api/v1/agents/decide', { token, body: sampleDecision(), impatient: true })
const ready = async () => {
  const { status, body } = await server.call('GET', '/health/ready')
  return [status, body.error?.message ?? null]
}
const lineOf = (requestId: string) =>
  server.logs.map((line) => JSON.parse(line)).find((line) => line.msg === 'request' && line.requestId === requestId)

describe('a full disk', () => {
  beforeAll(async () => {
    expect((await record()).status).toBe(201)
    expect(await ready()).toEqual([200, null])
    // As PostgreSQL says it when a table cannot grow.
    await admin.query(`
      create function public.no_space() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
      end $$`)
    await admin.query(
      'create trigger no_space before insert on cell.recorded_decisions execute function public.no_space()',
    )
  })

  it('is named in the answer, the log and readiness, and readiness returns', { timeout: 60_000 }, async () => {
    const { status, body, headers } = await record()
    expect([status, body.error.message]).toEqual([503, expect.stringMatching(/^The service's storage is full, /)])
    expect(lineOf(headers.get('x-request-id') as string)).toMatchObject({
      level: 40,
      status: 503,
      sqlState: '53100',
      reason: expect.stringContaining('storage'),
      below: expect.stringContaining('No space left on device'),
    })
    await expect.poll(ready).toEqual([503, expect.stringContaining("The service's storage is full")])
    await admin.query('drop trigger no_space on cell.recorded_decisions')
    expect((await record()).status).toBe(201)
    await expect.poll(ready, { timeout: 20_000, interval: 500 }).toEqual([200, null])
  })
})

describe('a synchronous standby that is away', () => {
  it('is named in the answer, the log and readiness, and readiness returns', { timeout: 120_000 }, async () => {
    expect((await decide()).status).toBe(201)
    await cluster.query(`alter system set synchronous_standby_names = 'nobody'`)
    await cluster.query('select pg_reload_conf()')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const [first, second] = await Promise.all([
      decide(),
      new Promise<Awaited<ReturnType<typeof decide>>>((resolve) => setTimeout(() => void decide().then(resolve), 1000)),
    ])
    const texts = [first, second].map(({ status, body }) => [status, body.error.message])
    for (const each of texts) expect(each).toEqual([503, expect.stringMatching(/confirm/)])
    expect(lineOf(first.headers.get('x-request-id') as string)).toMatchObject({
      level: 40,
      reason: expect.stringContaining("wasn't confirmed in time"),
      below: expect.stringContaining('timeout'),
    })
    await expect.poll(ready, { timeout: 10_000 }).toEqual([503, expect.stringContaining("can't confirm changes")])
    // It stays so without callers.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect((await ready())[0]).toBe(503)
    await cluster.query('alter system reset synchronous_standby_names')
    await cluster.query('select pg_reload_conf()')
    await expect.poll(ready, { timeout: 20_000, interval: 500 }).toEqual([200, null])
    expect((await decide()).status).toBe(201)
  })
})
