import { setTimeout as sleep } from 'node:timers/promises'
import { countEventsJob } from '@countersign/server/features/evidence/decision-events/count-events.job.ts'
import { type EventFixture, openFixture } from '@countersign/server/features/evidence/decision-events/test/fixture.ts'
import { listCases } from '@countersign/server/features/evidence/decision-events/test/list.cases.ts'
import { liveTotalCases } from '@countersign/server/features/evidence/decision-events/test/list-live.cases.ts'
import { recordCases } from '@countersign/server/features/evidence/decision-events/test/record.cases.ts'
import { recordRefusalCases } from '@countersign/server/features/evidence/decision-events/test/record-refusals.cases.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../tools/postgres.ts'
import { cloneDatabase } from '../support/database.ts'
import { sampleEvent } from '../support/samples.ts'
import type { Center } from '../support/world.ts'

const path = '/api/v1/decision-events'
let fixture: EventFixture

beforeAll(async () => {
  fixture = await openFixture(['east', 'west'])
})
afterAll(() => fixture.close())

interface Traffic {
  readonly touched: number
  readonly written: number
}

/** The statements that a database served in a schema since its creation; sessions report their counters when they end. */
async function traffic(url: string, schema: 'cell' | 'directory'): Promise<Traffic> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
    while ((await client.query(endOthers)).rowCount) await sleep(50)
    const { rows } = await client.query<Traffic>(
      `select sum(seq_scan + coalesce(idx_scan, 0))::int as touched, sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written
       from pg_stat_user_tables where schemaname = $1`,
      [schema],
    )
    return rows[0] as Traffic
  } finally {
    await client.end()
  }
}

const untouched: Traffic = { touched: 0, written: 0 }
const directoryUrl = () => fixture.server.services.config.databaseUrl

/** Every action of the service for a center, with and without an Idempotency-Key. */
async function liveIn(center: Center): Promise<void> {
  const { world, call, services } = fixture.server
  const token = await world.key(center)
  const body = sampleEvent({ idempotencyKey: 'once' })
  expect((await call('POST', path, { token, body })).status).toBe(201)
  expect((await call('POST', path, { token, body })).status).toBe(200)
  const headers = { 'idempotency-key': 'header' }
  expect((await call('POST', path, { token, body: sampleEvent(), headers })).status).toBe(201)
  await countEventsJob(services, fixture.cellOf(center), { centerId: center.id })
  for (const query of ['', '?tag=care-plan', '?type=custom&status=recorded']) {
    expect((await call('GET', `${path}${query}`, { token })).status).toBe(200)
  }
}

describe('before the other cell has a center', () => {
  it('no query of a center in the east reaches the west or the database of the directory', async () => {
    await liveIn(await fixture.newCenter({ cell: 'east' }))
    expect(await traffic(fixture.databaseOf('west'), 'cell')).toEqual(untouched)
    expect(await traffic(directoryUrl(), 'cell')).toEqual(untouched)
    const east = await traffic(fixture.databaseOf('east'), 'cell')
    expect(east.touched).toBeGreaterThan(0)
    expect(east.written).toBeGreaterThan(0)
  })
})

describe('one process, two cells', () => {
  it('serves both at once without mixing rows', async () => {
    const { world, call } = fixture.server
    const centers = await Promise.all(Array.from({ length: 8 }, () => fixture.newCenter()))
    const keys = await Promise.all(centers.map((center) => world.key(center)))
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const body = sampleEvent({ tags: [`center-${centers[n % 8]?.id}`] })
        const { status } = await call('POST', path, { token: keys[n % 8] as string, body })
        expect(status).toBe(201)
      }),
    )
    for (const [n, center] of centers.entries()) {
      const { body } = await call('GET', `${path}?limit=100`, { token: keys[n] as string })
      expect(body.pagination.total).toBe(25)
      expect(new Set(body.data.flatMap((item: { tags: string[] }) => item.tags))).toEqual(
        new Set([`center-${center.id}`]),
      )
    }
  })

  it('serves a cell that is added to the directory, without a restart', async () => {
    const { world, call, services } = fixture.server
    const added = await cloneDatabase()
    services.knownCells.start()
    const token = await world.key(await world.center({ cell: 'added' }))
    const record = async () => (await call('POST', path, { token, body: sampleEvent() })).status
    expect(await record()).toBe(503)
    const { href } = Object.assign(new URL(added.url), { username: '', password: '' })
    await world.query(`insert into directory.cells (name, url) values ('added', $1)`, [href])
    await expect.poll(record, { timeout: 10_000, interval: 200 }).toBe(201)
    expect((await call('GET', path, { token })).body.pagination.total).toBe(1)
    expect(services.cells.worked.map(({ name }) => name)).toEqual(['east', 'west'])
    await services.knownCells.stop()
    await withClient(added.url, async (client) => {
      const { rows } = await client.query('select count(*)::int as events from cell.decision_events')
      expect(rows).toEqual([{ events: 1 }])
    })
    await added.drop()
  })

  it('answers 503 for a center whose cell this process does not know, and serves the others', async () => {
    const { world, call } = fixture.server
    const lost = await world.key(await world.center({ cell: 'north' }))
    for (const [method, body] of [
      ['POST', sampleEvent()],
      ['GET', undefined],
    ] as const) {
      const answer = await call(method, path, { token: lost, ...(body && { body }) })
      expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    await liveIn(await fixture.newCenter({ cell: 'west' }))
  })
})

// The cells are alike: one of them in CI.
describe.each(process.env.TEST_LONG ? ['east', 'west'] : ['east'])(
  'the decision-event cases with the center in the %s',
  (home) => {
    recordCases(() => fixture, home)
    recordRefusalCases(() => fixture, home)
    listCases(() => fixture, home)
    liveTotalCases(() => fixture, home)
  },
)

describe('after all requests', () => {
  it('each cell holds only rows of its own centers', async () => {
    const { server } = fixture
    const homes = await server.world.query<{ id: number; cell: string }>('select id, cell from directory.centers')
    for (const cell of ['east', 'west']) {
      const residents = homes.filter((center) => center.cell === cell).map(({ id }) => id)
      await withClient(fixture.databaseOf(cell), async (client) => {
        const tables = await client.query<{ name: string }>(
          `select table_schema || '.' || table_name as name from information_schema.columns where table_schema = 'cell' and column_name = 'center_id'`,
        )
        expect(tables.rows.length).toBeGreaterThan(4)
        for (const { name } of tables.rows) {
          const foreign = await client.query(`select distinct center_id from ${name} where center_id <> all ($1)`, [
            residents,
          ])
          expect(foreign.rows, `${name} of the ${cell}`).toEqual([])
        }
        const events = await client.query('select distinct center_id from cell.decision_events')
        expect(events.rowCount).toBeGreaterThan(5)
      })
    }
  })

  it('no query for events reached the database of the directory, and none for people reached a cell', async () => {
    expect(await traffic(directoryUrl(), 'cell')).toEqual(untouched)
    for (const cell of ['east', 'west']) expect(await traffic(fixture.databaseOf(cell), 'directory')).toEqual(untouched)
    expect((await traffic(directoryUrl(), 'directory')).touched).toBeGreaterThan(0)
  })
})
