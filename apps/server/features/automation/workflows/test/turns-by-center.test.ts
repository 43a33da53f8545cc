/** Workers take due executions by turns of centers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type ExecutionLease, executionLeases } from '../runner-queries.ts'

const at = new Date('2026-11-15T12:00:00Z')
const until = new Date(at.getTime() + 6000)
const perCenter = 6
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.world.query('truncate cell.executions cascade')
})

/** Queues executions that are due `secondsAgo`. */
const queue = (center: number, count: number, secondsAgo: number) =>
  server.world.query(
    `insert into cell.executions (center_id, id, workflow_key, trigger, alone, parameters, unit_id, started_at, next_at)
     select $1, gen_random_uuid(), 'w', 'manual', false, '{}', gen_random_uuid(), t, t
     from (select $3::timestamptz - make_interval(secs => $4) + make_interval(secs => n * 0.000001) as t
       from generate_series(1, $2) n) s`,
    [center, count, at, secondsAgo],
  )

const take = (most: number, held: readonly ExecutionLease[] = []) =>
  executionLeases(server.services.cells.of('main'), ['w'], perCenter).take(at, until, most, held)

const countsOf = (leases: readonly ExecutionLease[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { center_id } of leases) counts[center_id] = (counts[center_id] ?? 0) + 1
  return counts
}

describe('with 10,000 executions of one center waiting for an hour', () => {
  it('the first take includes the single execution of another center', async () => {
    await queue(1, 10_000, 3600)
    await queue(2, 1, 0)
    expect(countsOf(await take(4))).toEqual({ 1: 3, 2: 1 })
  })

  it('places are divided evenly between the centers that wait', async () => {
    await queue(1, 10_000, 3600)
    await queue(2, 20, 60)
    await queue(3, 20, 10)
    expect(countsOf(await take(9))).toEqual({ 1: 3, 2: 3, 3: 3 })
  })

  it('what the worker holds counts as turns that the center has had', async () => {
    await queue(1, 10_000, 3600)
    const held = await take(4)
    expect(countsOf(held)).toEqual({ 1: 4 })
    await queue(2, 20, 0)
    expect(countsOf(await take(4, held))).toEqual({ 2: 4 })
  })

  it('a worker holds no more of one center than its bound, and takes others beyond it', async () => {
    await queue(1, 10_000, 3600)
    const held = await take(100)
    expect(countsOf(held)).toEqual({ 1: perCenter })
    expect(await take(100, held)).toEqual([])
    await queue(2, 1, 0)
    expect(countsOf(await take(100, held))).toEqual({ 2: 1 })
  })

  it('two workers take different executions, and one that is not due stays', async () => {
    await queue(1, 10_000, 3600)
    await queue(2, 3, -60)
    const [one, two] = await Promise.all([take(6), take(6)])
    expect(countsOf([...one, ...two])).toEqual({ 1: 12 })
    expect(new Set([...one, ...two].map(({ id }) => id)).size).toBe(12)
  })
})

it('100,000 waiting executions of 500 centers: a take reads a small part of the table', async () => {
  await server.world.query(
    `insert into cell.executions (center_id, id, workflow_key, trigger, alone, parameters, unit_id, started_at, next_at)
     select case when n <= 90000 then 1 else n % 500 + 2 end, gen_random_uuid(), 'w', 'manual', false, '{}',
       gen_random_uuid(), $1, $1::timestamptz - make_interval(secs => n) from generate_series(1, 100000) n`,
    [at],
  )
  await server.world.query('analyze cell.executions')
  type Report = { readonly Plan: Record<string, number>; readonly 'Execution Time': number }
  const [explained] = await server.world.query<{ 'QUERY PLAN': [Report] }>(
    `explain (analyze, buffers, format json) select * from cell.lease_executions(
       '{w}', '${at.toISOString()}', '${until.toISOString()}', 64, 48, '{}')`,
  )
  const [{ Plan }] = (explained as NonNullable<typeof explained>)['QUERY PLAN']
  expect(Plan['Actual Rows']).toBe(64)
  const pages = Number(Plan['Shared Hit Blocks']) + Number(Plan['Shared Read Blocks'])
  // A few pages for each center and each candidate; visiting every waiting execution would be more than 100,000.
  expect(pages).toBeLessThan(20_000)
})
