/** Schedules of centers that are new, change their time zone, are suspended, or have a running execution. */
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { workflow } from '../../../../../../tests/support/workflow-fixture.ts'
import { delayOf } from '../due-times.ts'
import { scheduleCopy } from '../schedule-copy.ts'
import { scheduleWorker } from './worker.ts'

const definitions = [
  workflow({ key: 'nine', type: 'SCHEDULED', schedule: { cron: '0 9 * * *' } }),
  workflow({ key: 'nine-alone', type: 'SCHEDULED', alone: true, schedule: { cron: '0 9 * * *' } }),
  workflow({ key: 'nine-there', type: 'SCHEDULED', schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' } }),
]
let server: TestServer
let now = 0
let restore = () => {}
beforeAll(async () => {
  server = await startServer({ definitions })
})
afterEach(() => restore())
afterAll(() => server.close())

const at = (text: string) => {
  now = Date.parse(text)
  restore = useClock(() => now)
}

async function newCenter() {
  const { id } = await server.world.center()
  const worker = scheduleWorker(server)
  return {
    id,
    worker,
    change: (column: string, value: unknown) =>
      server.world.query(`update directory.centers set ${column} = $2 where id = $1`, [id, value]),
    /** Due times that were started, by workflow. */
    async fired() {
      await worker.fire()
      const rows = await server.world.query<{ workflow_key: string; scheduled_for: Date }>(
        'select workflow_key, scheduled_for from cell.executions where center_id = $1 order by scheduled_for, workflow_key',
        [id],
      )
      return rows.map(
        ({ workflow_key, scheduled_for }) => `${workflow_key} ${scheduled_for.toISOString().slice(5, 16)}`,
      )
    },
    async skipped() {
      const audit = `select details from cell.audit_entries where center_id = $1 and details ->> 'action' = 'skipped'`
      return server.world.query<{ details: object }>(audit, [id])
    },
  }
}

it('a new center is due after its first synchronization, in its time zone or that of the workflow', async () => {
  at('2026-06-01T06:00Z')
  const center = await newCenter()
  await center.worker.sync()
  expect(await center.fired()).toEqual([])
  at('2026-06-01T07:01Z')
  expect(await center.fired()).toEqual(['nine-there 06-01T07:00'])
  at('2026-06-02T00:01Z')
  expect(await center.fired()).toEqual(['nine-there 06-01T07:00', 'nine 06-02T00:00', 'nine-alone 06-02T00:00'])
})

it('a center that changes its time zone is due by the new one only', async () => {
  at('2026-06-10T10:00Z')
  const center = await newCenter()
  await center.worker.sync()
  await center.change('settings', JSON.stringify({ timezone: 'America/New_York' }))
  // The schedules are not synchronized yet: a worker that finds one due reads the directory first.
  at('2026-06-11T00:01Z')
  expect(await center.fired()).toEqual([])
  at('2026-06-11T13:01Z')
  await center.worker.sync()
  expect(await center.fired()).toEqual(['nine-there 06-11T07:00', 'nine 06-11T13:00', 'nine-alone 06-11T13:00'])
})

it('a suspended center is not due, and due times of that time are not caught up', async () => {
  at('2026-06-20T10:00Z')
  const center = await newCenter()
  await center.worker.sync()
  await center.change('status', 'SUSPENDED')
  at('2026-06-22T00:01Z')
  expect(await center.fired()).toEqual([])
  await center.worker.sync()
  await center.change('status', 'ACTIVE')
  at('2026-06-22T10:00Z')
  await center.worker.sync()
  expect(await center.fired()).toEqual([])
  at('2026-06-23T00:01Z')
  expect(await center.fired()).toEqual(['nine 06-23T00:00', 'nine-alone 06-23T00:00'])
})

it('a due time is skipped and noted while the only allowed execution is running', async () => {
  at('2026-07-01T10:00Z')
  const center = await newCenter()
  await center.worker.sync()
  at('2026-07-02T00:01Z')
  await center.fired()
  at('2026-07-03T00:01Z')
  const fired = await center.fired()
  expect(fired.filter((each) => each.startsWith('nine-alone'))).toEqual(['nine-alone 07-02T00:00'])
  expect(fired.filter((each) => each.startsWith('nine '))).toEqual(['nine 07-02T00:00', 'nine 07-03T00:00'])
  expect(await center.skipped()).toMatchObject([
    { details: { action: 'skipped', scheduledFor: '2026-07-03T00:00:00.000Z' } },
  ])
})

it('a due time starts once, also after the clock of a worker is set back', async () => {
  at('2026-08-01T10:00Z')
  const center = await newCenter()
  await center.worker.sync()
  at('2026-08-02T00:01Z')
  const once = await center.fired()
  at('2026-08-01T23:50Z')
  await center.worker.sync()
  expect(await center.fired()).toEqual(once)
  at('2026-08-02T00:02Z')
  expect(await center.fired()).toEqual(once)
})

it('a worker follows new, changed and suspended centers and their settings without comparing all centers', async () => {
  at('2026-09-01T10:00Z')
  const { catalogue, directory, cells } = server.services
  const before = await newCenter()
  const [changed, unseen] = [await newCenter(), await newCenter()]
  // Later marks than those of the centers above.
  const evaluate = async (name: string) =>
    (await server.world.query<{ value: number }>(`select countersign.${name}() as value`))[0]?.value ?? 0
  const mark = await evaluate('change_mark')
  await server.world.query(
    `do $$ begin
       perform set_config('synchronous_commit', 'off', false);
       for i in 1..2100 loop perform pg_current_xact_id(); commit; end loop;
     end $$`,
  )
  // A transaction of another database in the cluster holds the horizon back until it ends.
  await expect.poll(() => evaluate('horizon'), { timeout: 60_000 }).toBeGreaterThan(mark)
  const copy = scheduleCopy({ catalogue, directory }, cells.of('main'))
  await copy.step()
  // Deleted behind the back of the worker: only a comparison would write them again.
  await server.world.query('delete from cell.workflow_schedules where center_id = $1', [unseen.id])
  await changed.change('settings', JSON.stringify({ timezone: 'America/New_York' }))
  await before.change('status', 'SUSPENDED')
  const fresh = await newCenter()
  await server.world.query(
    `insert into cell.workflow_settings (center_id, workflow_key, enabled, parameters, tags, updated_at)
     values ($1, 'nine', false, '{}', '{}', now())`,
    [changed.id],
  )
  await copy.step()
  const rows = await server.world.query<{ center_id: number; workflow_key: string; timezone: string }>(
    'select center_id, workflow_key, timezone from cell.workflow_schedules where center_id = any ($1) order by 1, 2',
    [[before.id, changed.id, unseen.id, fresh.id]],
  )
  const of = (id: number) =>
    rows.filter((row) => row.center_id === id).map((row) => `${row.workflow_key} ${row.timezone}`)
  expect(of(before.id)).toEqual([])
  expect(of(changed.id)).toEqual(['nine-alone America/New_York', 'nine-there Europe/Berlin'])
  expect(of(unseen.id)).toEqual([])
  expect(of(fresh.id)).toHaveLength(3)
}, 90_000)

it('centers of a large cell are spread over five minutes, each always at the same place', () => {
  const windowMs = 300_000
  const delays = Array.from({ length: 14_286 }, (_, id) => delayOf(id, 'nine', windowMs))
  expect(delays).toEqual(Array.from({ length: 14_286 }, (_, id) => delayOf(id, 'nine', windowMs)))
  const perSecond = Map.groupBy(delays, (delay) => Math.floor(delay / 1000))
  expect(perSecond.size).toBe(300)
  expect(Math.max(...[...perSecond.values()].map((all) => all.length))).toBeLessThan(100)
})
