/** Retention of webhook data, and the metrics of webhooks. */
import { keepWebhooks } from '@countersign/server/features/automation/webhooks/retention.ts'
import { nowMs, useClock } from '@countersign/server/lib/clock.ts'
import { newUuid, uuidOf } from '@countersign/server/lib/ids.ts'
import { readFiguresJob } from '@countersign/server/read-figures.job.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../../../../../tests/support/server.ts'
import { backlog } from '../../../../../../tests/support/webhook-backlog.ts'
import {
  localNetworks,
  startWebhookFixture,
  type WebhookFixture,
} from '../../../../../../tests/support/webhook-fixture.ts'

let fixture: WebhookFixture
beforeAll(async () => {
  fixture = await startWebhookFixture()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const day = 86_400
const daysAgo = (days: number) => new Date(Date.now() - days * day * 1000)
const keep = () => keepWebhooks(fixture.server.services.box, fixture.server.services.cells.of('main'))
const query = <R extends object>(text: string, values?: unknown[]) =>
  fixture.server.world.query<R & { [x: string]: never }>(text, values)
const count = async (text: string, values?: unknown[]) =>
  (await query<{ count: number }>(`select count(*)::integer as count from ${text}`, values))[0]?.count

/** The first days of the weekly partitions of a table. */
async function weeks(table: string): Promise<string[]> {
  const rows = await query<{ week: string }>(
    `select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''(\\d{4}-\\d\\d-\\d\\d)') as week
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ('cell.' || $1)::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by 1`,
    [table],
  )
  return rows.map(({ week }) => week)
}

function mondayOf(atMs: number, weeksLater: number): string {
  const at = new Date(atMs)
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7) + 7 * weeksLater)
  return at.toISOString().slice(0, 10)
}

/** Inserts an event of this many days ago with a delivery, an attempt, and an id of a companion app. */
async function past(webhookId: string, days: number): Promise<string> {
  const at = daysAgo(days)
  const id = newUuid(at.getTime())
  const place = [fixture.center.id, uuidOf('webhook', webhookId), id, at]
  await query(
    `insert into cell.webhook_events (center_id, created_at, id, type, data) values ($1, $3, $2, 'payment.failed', '{}')`,
    [fixture.center.id, id, at],
  )
  await query(
    `insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, attempts, status, attempted_at)
     values ($1, $2, $3, 'payment.failed', $4, 1, 'failed', $4)`,
    place,
  )
  await query(
    `insert into cell.webhook_attempts (center_id, webhook_id, event_id, number, at, ms, excerpt) values ($1, $2, $3, 1, $4, 5, '')`,
    place,
  )
  await query(
    `insert into cell.webhook_event_ids (center_id, public_id, id, fingerprint, deliveries, created_at)
     values ($1, $2::text, $3, '\\x00', 1, $4)`,
    [fixture.center.id, `given-${id}`, id, at],
  )
  return id
}

describe('weekly partitions', () => {
  it('exist for a month ahead, and those that ended more than 30 days ago are dropped with their rows', async () => {
    for (const days of [60, 45])
      await query(`select cell.keep_webhook_weeks(now() - make_interval(days => $1), interval '300 days')`, [days])
    const { id } = await fixture.register({ active: false })
    const old = await past(id, 50)
    const young = await past(id, 20)
    const before = await weeks('webhook_events')
    expect(before.some((week) => Date.parse(week) < daysAgo(50).getTime())).toBe(true)

    expect(await keep()).toBe(2)
    for (const table of ['webhook_events', 'webhook_attempts']) {
      const kept = await weeks(table)
      for (const ahead of [-1, 0, 1, 2, 3, 4]) expect(kept).toContain(mondayOf(Date.now(), ahead))
      for (const week of kept) expect(Date.parse(week) + 7 * day * 1000).toBeGreaterThanOrEqual(daysAgo(30).getTime())
    }
    const left = async (event: string) => [
      await count('cell.webhook_events where id = $1', [event]),
      await count('cell.webhook_deliveries where event_id = $1', [event]),
      await count('cell.webhook_attempts where event_id = $1', [event]),
      await count('cell.webhook_event_ids where id = $1', [event]),
    ]
    expect(await left(old)).toEqual([0, 0, 0, 0])
    expect(await left(young)).toEqual([1, 1, 1, 1])
  })

  it('can be maintained twice, and by two workers at once while events are published and delivered', async () => {
    await query(`select cell.keep_webhook_weeks(now() - interval '60 days', interval '300 days')`)
    const { id } = await fixture.register()
    const old = await past(id, 50)
    const second = await startServer({ env: localNetworks, beside: fixture.server })
    const publishing = Promise.all(Array.from({ length: 20 }, () => fixture.publish()))
    try {
      const gone = await Promise.all([
        keep(),
        keepWebhooks(second.services.box, second.services.cells.of('main')),
        keep(),
      ])
      expect(gone.reduce((sum, each) => sum + each)).toBe(2)
    } finally {
      await second.close()
    }
    expect((await publishing).map(({ status }) => status)).toEqual(Array(20).fill(202))
    await fixture.consumer.until(20)
    expect(await count('cell.webhook_events where id = $1', [old])).toBe(0)
    const once = await weeks('webhook_events')
    expect(await keep()).toBe(0)
    expect(await weeks('webhook_events')).toEqual(once)
  })

  it('that are missing do not prevent an event, and its retention is the same', async () => {
    const { id } = await fixture.register()
    const restore = useClock(() => Date.now() + 80 * day * 1000)
    try {
      const { id: eventId } = (await fixture.publish()).body.data
      await fixture.settled(id, ([first]) => first?.status === 'success')
      expect(await count('cell.webhook_events_other where public_id = $1', [eventId])).toBe(1)
      expect(await count('cell.webhook_attempts_other')).toBe(1)
      // The partition of this week cannot be created any more; the others are.
      await keep()
      expect(await weeks('webhook_events')).toContain(mondayOf(nowMs(), 4))
      expect(await weeks('webhook_events')).not.toContain(mondayOf(nowMs(), 0))
      const { id: next } = (await fixture.publish()).body.data
      await fixture.settled(id, (all) => all.length === 2 && all.every(({ status }) => status === 'success'))
      expect(await count('cell.webhook_events where public_id = any ($1)', [[eventId, next]])).toBe(2)
    } finally {
      restore()
    }
    const muchLater = useClock(() => Date.now() + 111 * day * 1000)
    await keep().finally(muchLater)
    expect(await count('cell.webhook_events_other')).toBe(0)
    expect(await count('cell.webhook_attempts_other')).toBe(0)
    // Restores the real time, so that later tests have their partitions.
    await keep()
  })
})

const read = async () => {
  await readFiguresJob(fixture.server.services, 'main')
  const text = await fixture.server.services.metrics.text()
  return (name: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`countersign_webhook_${name}`))
    return line === undefined ? 0 : Number(line.split(' ').at(-1))
  }
}
const outcome = (name: string) => `attempts_total{outcome="${name}"}`

it('an event whose payload was deleted is not sent: the attempt has the error expired, and does not count as a failure', async () => {
  fixture.consumer.answer(() => 500)
  const before = await read()
  const { id } = await fixture.register()
  const { id: eventId } = (await fixture.publish()).body.data
  await fixture.settled(id, ([first]) => first?.attempts === 1)
  await query('delete from cell.webhook_events where public_id = $1', [eventId])
  expect((await fixture.v1('POST', `/api/v1/webhooks/events/${eventId}/retry`)).status).toBe(202)
  const [last] = await fixture.settled(id, ([first]) => first?.attempts === 2)
  expect(last).toMatchObject({ status: 'failed', responseStatus: null, nextRetryAt: null })
  const { data } = (await fixture.v1('GET', `/api/v1/webhooks/${id}/deliveries/${eventId}/attempts`)).body
  expect(data.at(-1)).toMatchObject({ attempt: 2, status: 'failed', error: 'expired', ms: 0 })
  expect(fixture.consumer.received).toHaveLength(1)
  const [health] = await query<{ failures: number }>(
    'select failures from cell.webhook_endpoints where webhook_id = $1',
    [uuidOf('webhook', id)],
  )
  expect(health?.failures).toBe(1)
  expect((await read())(outcome('expired'))).toBe(before(outcome('expired')) + 1)
})

describe('metrics', () => {
  it('show held deliveries, open breakers and the outcomes of attempts', async () => {
    const before = await read()
    const { id } = await fixture.register()
    await fixture.publish()
    await fixture.settled(id, ([first]) => first?.status === 'success')
    fixture.consumer.answer(() => 500)
    for (let index = 0; index < 10; index++) await fixture.publish()
    await fixture.settled(id, (all) => all.length === 11)
    const inactive = await fixture.register({ active: false })
    await backlog(fixture.server.world, fixture.center.id, inactive.id, { count: 7, held: true })
    const after = await read()
    const rise = (name: string) => after(name) - before(name)
    expect(rise('deliveries_held{cell="main"}')).toBe(7)
    expect(rise('breakers_open{cell="main"}')).toBe(1)
    expect(rise(outcome('http'))).toBe(10)
    expect(rise(outcome('success'))).toBe(1)
    // An endpoint without deliveries has no open breaker.
    await fixture.v1('DELETE', `/api/v1/webhooks/${id}`)
    expect((await read())('breakers_open{cell="main"}')).toBe(before('breakers_open{cell="main"}'))
  })

  it('show the age of the oldest due delivery, and count endpoints that were taken over', async () => {
    const { id } = await fixture.register()
    const before = await read()
    // As of a worker that died a minute ago while it held a delivery.
    await query(
      `update cell.webhook_endpoints set lease_until = now() + interval '2 seconds', lease_epoch = lease_epoch + 1 where webhook_id = $1`,
      [uuidOf('webhook', id)],
    )
    await backlog(fixture.server.world, fixture.center.id, id, { count: 1 })
    await query(`update cell.webhook_deliveries set next_at = now() - interval '1 minute' where webhook_id = $1`, [
      uuidOf('webhook', id),
    ])
    const waiting = (await read())('overdue_seconds{cell="main"}')
    expect(waiting).toBeGreaterThanOrEqual(60)
    expect(waiting).toBeLessThan(70)
    await fixture.settled(id, ([first]) => first?.status === 'success')
    const after = await read()
    expect(after('overdue_seconds{cell="main"}')).toBe(0)
    expect(after('lease_takeovers_total')).toBe(before('lease_takeovers_total') + 1)
  })
})
