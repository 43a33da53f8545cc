/** Taking rows, against a real database: each row has one worker, centers take turns, and an old worker changes nothing. */
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Lease } from '../../concurrency/leases.ts'
import type { Exchange } from '../../lib/outbound-http.ts'
import { type LeasedTable, putOffRow, removeRow, type Taking, takeRows } from '../lease-queries.ts'
import { outbox } from '../leases.ts'
import type { DeliveryOutcome } from '../outcome.ts'
import { type Letter, letter } from '../transport.ts'
import { chatRules } from '../transports/chat.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.world.query(`
    create table directory.planted (
      id integer primary key, center_id integer not null, attempts integer not null default 0, next_at timestamptz(3) not null)`)
  await server.world.query('grant select, insert, update, delete on directory.planted to cs_auth')
})
afterAll(() => server.close())

interface Planted extends Lease {
  readonly id: number
  readonly center_id: number
}
const table: LeasedTable = {
  name: 'directory.planted',
  key: ['id'],
  lease: 'next_at',
  epoch: 'attempts',
  due: (at) => sql`next_at <= ${at}`,
  order: 'next_at',
  columns: 'r.id, r.center_id',
}
const fair: LeasedTable = { ...table, perCenter: 2 }
const at = new Date('2026-11-18T08:00:00.000Z')
const until = new Date(at.getTime() + 60_000)
const nobody = { requestId: 'req_test', actorId: null, centerId: 0 }

const inDirectory = <T>(work: Parameters<typeof server.services.directory.identity<T>>[1]) =>
  server.services.directory.identity(nobody, work)
const take = (most: number, from = table, held: readonly number[] = [], taking: Partial<Taking> = {}) =>
  inDirectory(({ db }) => takeRows<Planted>(db, from, { at, until, most, held, ...taking }))

/** Rows of these centers, the first due the longest. */
async function plant(...centers: readonly number[]): Promise<void> {
  await server.world.query('truncate directory.planted')
  for (const [id, center] of centers.entries()) {
    const due = new Date(at.getTime() - 1000 + id)
    await server.world.query('insert into directory.planted (id, center_id, next_at) values ($1, $2, $3)', [
      id,
      center,
      due,
    ])
  }
}
const ids = (rows: readonly Planted[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b)

describe('taking', () => {
  it('gives each row to one of many workers at the same time, and raises its epoch', async () => {
    await plant(...Array(60).fill(1))
    const taken = (await Promise.all(Array.from({ length: 12 }, () => take(5)))).flat()
    const rest = await take(60)
    expect(ids([...taken, ...rest])).toEqual(Array.from({ length: 60 }, (_, id) => id))
    expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([1]))
    expect(await take(60)).toEqual([])
    expect(await take(60, table, [], { at: until })).toHaveLength(60)
  })

  it('takes the longest due first', async () => {
    await plant(1, 1, 1, 1)
    expect(ids(await take(2))).toEqual([0, 1])
  })

  it('lets centers take turns, and counts what the worker holds', async () => {
    await plant(1, 1, 1, 1, 1, 2, 3)
    expect(ids(await take(3, fair))).toEqual([0, 5, 6])
    await plant(1, 1, 1, 1, 1, 2, 3)
    expect(ids(await take(20, fair))).toEqual([0, 1, 5, 6])
    expect(ids(await take(20, fair, [1]))).toEqual([2])
    expect(ids(await take(20, fair, [1, 1]))).toEqual([])
  })
})

describe('a worker whose lease another one has taken', () => {
  it('neither removes the row nor puts it off', async () => {
    await plant(1)
    const [slow] = (await take(1)) as [Planted]
    const [successor] = (await take(1, table, [], { at: until, until: new Date(until.getTime() + 60_000) })) as [
      Planted,
    ]
    await inDirectory(({ db }) => putOffRow(db, table, slow, at))
    expect(await take(1, table, [], { at: until })).toEqual([])
    await inDirectory(({ db }) => removeRow(db, table, slow))
    expect(await server.world.query('select from directory.planted')).toHaveLength(1)
    await inDirectory(({ db }) => removeRow(db, table, successor))
    expect(await server.world.query('select from directory.planted')).toEqual([])
  })
})

describe('an outbox', () => {
  const exchange: Exchange = { responseStatus: 200, retryAfter: null, excerpt: '', error: null, message: null, ms: 1 }
  const recorded = new Map<number, DeliveryOutcome | null>()
  beforeEach(() => recorded.clear())

  const opened = (letterOf: (row: Planted) => Promise<Letter | 'gone' | null>) =>
    outbox<Planted>({
      name: 'planted',
      store: {
        take: (_at, _until, most) => take(most),
        release: async (row, to) => void (await inDirectory(({ db }) => putOffRow(db, table, row, to))),
      },
      most: 4,
      log: pino({ level: 'silent' }),
      fields: () => ({}),
      rules: chatRules,
      failures: () => 0,
      letterOf,
      async record(row, outcome) {
        recorded.set(row.id, outcome)
        await inDirectory(({ db }) => removeRow(db, table, row))
      },
    })
  const sent = (answer: Partial<Exchange>, refusal: string | null = null) =>
    letter(
      { rules: chatRules, refusalOf: () => refusal, send: async () => ({ ...exchange, ...answer }) },
      'target',
      'message',
    )

  it('sends what is due and records what became of each; a refused target is sent nothing', async () => {
    await plant(...Array(7).fill(1))
    const letters = [
      sent({}),
      sent({ responseStatus: 500 }),
      sent({ responseStatus: 400 }),
      sent({ responseStatus: 410 }),
      letter({ rules: chatRules, refusalOf: () => 'no longer allowed', send: () => Promise.reject() }, 1, 1),
      'gone' as const,
      null,
    ]
    expect(await opened(async ({ id }) => letters[id] ?? null).sendDue()).toBe(1)
    const kinds = Array.from({ length: 7 }, (_, id) => recorded.get(id)?.kind ?? null)
    expect(kinds).toEqual(['delivered', 'later', 'given_up', 'gone', 'gone', 'gone', null])
    expect(recorded.get(4)).toMatchObject({ reason: 'no longer allowed' })
  })

  it('puts off by the schedule what this program cannot send, and sends the others', async () => {
    await plant(1, 1)
    const broken = opened(async ({ id }) => {
      if (id === 0) throw new Error('a defect')
      return sent({})
    })
    expect(await broken.sendDue()).toBe(1)
    const [row] = await server.world.query<{ id: number; wait: number }>(
      'select id, extract(epoch from next_at - now())::integer as wait from directory.planted',
    )
    expect(row?.id).toBe(0)
    expect(row?.wait).toBeGreaterThan(50)
  })

  it('is closed when what it sends after a commit is recorded', async () => {
    await plant(1)
    const slow = opened(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return sent({})
    })
    slow.soon()
    await slow.close()
    expect(recorded.size).toBe(1)
  })
})
