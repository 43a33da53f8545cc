/** A cell that is away concerns its own centers only; real processes, and a real connection that is cut. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../tools/postgres.ts'
import { type ChildServer, spawnBeside } from '../support/child-server.ts'
import { sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openWire, type Wire } from '../support/tcp-proxy.ts'

let server: TestServer
let east: Wire
let directory: Wire
const keys: Record<string, string> = {}

beforeAll(async () => {
  server = await startServer({ cells: ['east', 'west'] })
  east = await openWire(server.services.config.cells.get('east') as string)
  directory = await openWire(server.services.config.databaseUrl)
  for (const cell of ['east', 'west']) keys[cell] = await server.world.key(await server.world.center({ cell }))
})
afterAll(async () => {
  await Promise.all([east.close(), directory.close()])
  await server.close()
})

const spawnThrough = (env: Record<string, string>) => {
  const west = server.services.config.cells.get('west')
  return spawnBeside(server, { DATABASE_URL: directory.url, CELLS: `east=${east.url},west=${west}`, ...env })
}

const post = async ({ url }: ChildServer, path: string, cell: string, body: unknown) => {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[cell]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error } = (await answer.json()) as { error?: { code: string } }
  return { status: answer.status, code: error?.code ?? null, retryAfter: answer.headers.get('retry-after') }
}
const record = (at: ChildServer, cell: string) => post(at, '/decision-events', cell, sampleEvent())
const decide = (at: ChildServer, cell: string) => post(at, '/agents/decide', cell, sampleDecision())
const statusOf = async (url: string) => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}
const upOf = async ({ metricsUrl }: ChildServer) => {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  return Array.from(text.matchAll(/^countersign_cell_up\{cell="(\w+)"\} (\d)$/gm), ([, cell, up]) => `${cell} ${up}`)
}

const done = { status: 201, code: null, retryAfter: null }
const away = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' }

async function expectEastAway(at: ChildServer): Promise<void> {
  for (const call of [record, decide]) {
    expect([await call(at, 'east'), await call(at, 'west')]).toEqual([away, done])
  }
  expect(await statusOf(`${at.url}/health/ready`)).toBe(200)
  expect(await upOf(at)).toEqual(['east 0', 'west 1'])
}

async function expectBack(at: ChildServer): Promise<void> {
  await expect.poll(async () => (await record(at, 'east')).status, { timeout: 15_000 }).toBe(201)
  expect([await decide(at, 'east'), await decide(at, 'west')]).toEqual([done, done])
  expect(await upOf(at)).toEqual(['east 1', 'west 1'])
}

const eastUrl = () => server.services.config.cells.get('east') as string
const setChecksum = (to: string) =>
  withClient(eastUrl(), (client) =>
    client.query(`update countersign_migrations.applied set checksum = ${to} where name = 'cell/0005_chains'`),
  )

/** One process for all tests, because a start costs seconds. */
describe('a process', () => {
  let at: ChildServer
  afterAll(() => at?.stop())

  it('starts without a cell that is away, admits it when its schema fits, and serves it', async () => {
    await east.cut()
    at = await spawnThrough({ ROLE: 'all' })
    await expectEastAway(at)
    await setChecksum(`'x' || checksum`)
    await east.mend()
    const refused = "a cell isn't ready; checking again every second"
    await expect.poll(() => at.output.join(''), { timeout: 15_000 }).toContain(refused)
    expect(await record(at, 'east')).toEqual(away)
    await setChecksum('substr(checksum, 2)')
    await expectBack(at)
    expect(at.output.join('')).toContain('a cell that was unreachable is ready')
    const engines = `select from pg_stat_activity where application_name = 'countersign jobs' and datname = current_database()`
    await withClient(eastUrl(), async (client) => {
      await expect.poll(async () => (await client.query(engines)).rowCount, { timeout: 10_000 }).toBeGreaterThan(0)
    })
  })

  it('answers 503 for the centers of a cell that goes away, and the others notice nothing', async () => {
    await east.cut()
    await expectEastAway(at)
    await east.mend()
    await expectBack(at)
  })

  it('reports a cell that hangs, and does not wait for it', async () => {
    east.freeze()
    const began = performance.now()
    expect(await upOf(at)).toEqual(['east 0', 'west 1'])
    expect(performance.now() - began).toBeLessThan(6000)
    expect([await record(at, 'west'), await statusOf(`${at.url}/health/ready`)]).toEqual([done, 200])
    await east.mend()
    await expectBack(at)
  })

  it('answers 503 for a cell that became read-only, and opens new connections', async () => {
    await setReadOnly(eastUrl(), 'on')
    await endSessions(eastUrl())
    try {
      await expect.poll(async () => (await record(at, 'east')).status, { timeout: 10_000 }).toBe(503)
      await expectEastAway(at)
    } finally {
      await setReadOnly(eastUrl(), 'off')
    }
    // No session is ended here: connections that were opened read-only would stay so.
    await expectBack(at)
  })

  it('is not ready while the directory is read-only', async () => {
    const { databaseUrl } = server.services.config
    await setReadOnly(databaseUrl, 'on')
    await endSessions(databaseUrl)
    try {
      await expect.poll(() => statusOf(`${at.url}/health/ready`), { timeout: 10_000 }).toBe(503)
      expect(await statusOf(`${at.url}/health/live`)).toBe(200)
    } finally {
      await setReadOnly(databaseUrl, 'off')
    }
    await expect.poll(() => statusOf(`${at.url}/health/ready`), { timeout: 10_000 }).toBe(200)
  })
})

const setReadOnly = (url: string, value: 'on' | 'off') =>
  withClient(url, async (client) => {
    const change = `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${value}`
    await client.query(`begin; set local transaction_read_only = off; ${change}; commit`)
  })
const endSessions = (url: string) =>
  withClient(url, (client) =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'countersign%'`),
  )

describe('a worker', () => {
  it('is live, and ready while the directory can be written, on a port of its own', async () => {
    const at = await spawnThrough({ ROLE: 'worker' })
    const ready = () => statusOf(`${at.healthUrl}/health/ready`)
    expect([await statusOf(`${at.healthUrl}/health/live`), await ready()]).toEqual([200, 200])
    expect(await statusOf(`${at.healthUrl}/metrics`)).toBe(404)
    await east.cut()
    expect(await ready()).toBe(200)
    await directory.cut()
    await expect.poll(ready, { timeout: 10_000 }).toBe(503)
    const answer = await fetch(`${at.healthUrl}/health/ready`)
    expect([answer.headers.get('retry-after'), await answer.json()]).toEqual([
      '1',
      {
        success: false,
        error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/^(The|Part of the) service /) },
      },
    ])
    expect(await statusOf(`${at.healthUrl}/health/live`)).toBe(200)
    await directory.mend()
    await expect.poll(ready, { timeout: 10_000 }).toBe(200)
    at.process.kill('SIGTERM')
    expect(await at.exited).toBe(0)
  })
})
