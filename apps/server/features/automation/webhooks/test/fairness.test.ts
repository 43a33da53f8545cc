/** One endpoint hangs with a backlog; it delays neither twenty other endpoints nor PostgreSQL. */
import { typedId } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { percentile } from '../../../../../../tests/bench/place.ts'
import { random } from '../../../../../../tests/support/seed.ts'
import { backlog } from '../../../../../../tests/support/webhook-backlog.ts'
import { startWebhookFixture, type WebhookFixture } from '../../../../../../tests/support/webhook-fixture.ts'

let fixture: WebhookFixture
beforeAll(async () => {
  fixture = await startWebhookFixture()
})
afterAll(() => fixture.close())

const neighbours = 20
const events = 40
const poolSize = 4
/** Pools of one server whose cell shares a database with the directory: see data/cells.ts and data/directory.ts. */
const pools: Record<string, number> = {
  'countersign cs_api': 2 * poolSize + 2,
  'countersign cs_auth': poolSize,
  'countersign cs_jobs': 1 + 2 + 4,
  'countersign cs_recorder': 2,
  'countersign cs_sequencer': poolSize,
  'countersign cs_public': 2,
  'countersign changes': 1,
}

it('events for healthy endpoints arrive at once while another endpoint accepts and never answers', async () => {
  fixture.consumer.answer(() => undefined)
  const hung = await fixture.register({ events: ['payment.failed'] })
  await backlog(fixture.server.world, fixture.center.id, hung.id, { count: 3000 })
  const healthy = await Promise.all(Array.from({ length: neighbours }, fixture.newConsumer))
  for (const { url } of healthy) await fixture.register({ url, events: ['payment.completed'] })
  await fixture.consumer.until(10)
  expect(fixture.consumer.inFlight.now).toBeGreaterThan(1)

  const most: Record<string, number> = {}
  const publishedAt = new Map<string, number>()
  for (let index = 0; index < events; index++) {
    const { id } = (await fixture.publish()).body.data
    publishedAt.set(id, performance.now())
    const open = await fixture.server.world.query<{ name: string; count: number }>(
      `select application_name as name, count(*)::integer as count from pg_stat_activity
       where datname = current_database() and application_name like 'countersign%' group by 1`,
    )
    for (const { name, count } of open) most[name] = Math.max(most[name] ?? 0, count)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await Promise.all(healthy.map((each) => each.until(events)))

  const lags = healthy.flatMap(({ received }) =>
    received.map(({ envelope, atMs }) => atMs - (publishedAt.get(envelope.id) as number)),
  )
  expect(lags).toHaveLength(neighbours * events)
  expect(percentile(lags, 0.99)).toBeLessThan(2000)
  for (const [name, count] of Object.entries(most)) expect(count, name).toBeLessThanOrEqual(pools[name] ?? 0)
  expect(most['countersign cs_jobs']).toBeGreaterThan(0)
  // Without a backlog the test would prove nothing.
  const [left] = await fixture.server.world.query<{ count: number }>(
    'select count(*)::integer as count from cell.webhook_deliveries where attempts = 0 and next_at is not null',
  )
  expect(left?.count).toBeGreaterThan(2000)
})

it('an event that was committed late is delivered while newer ones keep arriving', async () => {
  const busy = await fixture.newConsumer()
  busy.answer((_, response) => {
    // Never all at once, so that the delivery worker always holds a delivery.
    setTimeout(() => response.writeHead(200).end(), 50 + 350 * random())
    return undefined
  })
  const { id } = await fixture.register({ url: busy.url, events: ['payment.failed'] })
  const start = performance.now()
  let late: { eventId: string; at: number } | null = null
  for (let published = 0; performance.now() < start + 4000; published++) {
    await fixture.publish({ type: 'payment.failed', data: { paymentId: `pay-${published}` } })
    if (late || performance.now() < start + 1000) continue
    // As by a transaction that began two seconds ago and commits now.
    const [event] = await backlog(fixture.server.world, fixture.center.id, id, { count: 1, secondsAgo: 2 })
    late = { eventId: typedId('webhookEvent', event as string), at: performance.now() }
  }
  const arrival = busy.received.find(({ envelope }) => envelope.id === late?.eventId)
  expect(arrival, 'it did not arrive while others did').toBeDefined()
  expect((arrival?.atMs ?? 0) - (late?.at ?? 0)).toBeLessThan(2000)
})
