/** Endpoints that fail: after days they are disabled, after consecutive failures they get one request at a time. */
import { nowMs } from '@countersign/server/lib/clock.ts'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../../../tests/support/webhook-fixture.ts'
import { all, day, startHoldingFixture } from './holding-fixture.ts'

const { fixture, patch, publishOne, arrived, after, recover, work } = await startHoldingFixture()
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const shown = async (id: string) =>
  (await fixture.v1('GET', '/api/v1/webhooks')).body.data.find((each: Delivery) => each.id === id)

describe('an endpoint where every attempt fails', () => {
  /** Publishes an event that fails, this many seconds later. */
  async function failLater(id: string, seconds: number): Promise<void> {
    fixture.turn(seconds)
    const event = await publishOne()
    await fixture.settled(id, (found) => found.some(({ eventId }) => eventId === event))
  }

  it('is disabled after five days with a reason and an audit entry, and holds later events', async () => {
    fixture.consumer.answer(() => 500)
    const { id } = await fixture.register()
    await failLater(id, 0)
    const begun = nowMs()
    for (let passed = 1; passed < 5; passed++) await failLater(id, day)
    await failLater(id, day - 1)
    expect(await shown(id)).toMatchObject({ active: true, disabledReason: null, lastDeliveryStatus: 'failed' })
    await failLater(id, 1)
    await expect.poll(async () => (await shown(id)).active, { timeout: 5000 }).toBe(false)
    expect((await shown(id)).disabledReason).toMatch(/failed for 5 days/)
    const audited = await fixture.server.world.query<{ details: Delivery }>(
      `select details from cell.audit_entries where type = 'webhook.changed' and target_id = $1 and details->>'action' = 'disabled'`,
      [id],
    )
    expect(audited).toHaveLength(1)

    fixture.consumer.received.length = 0
    fixture.consumer.answer(() => 200)
    const meanwhile = await publishOne()
    fixture.turn(day)
    await fixture.quiet()
    expect(arrived()).toEqual([])
    expect(await patch(id, { active: true })).toMatchObject({ active: true, disabledReason: null })
    await recover(id, begun)
    await work()
    await fixture.consumer.until(1)
    await fixture.settled(id, (found) => found.some(({ eventId }) => eventId === meanwhile))
    expect((await shown(id)).active).toBe(true)
  })

  it('is not disabled after a single success within the five days', async () => {
    const { id } = await fixture.register()
    fixture.consumer.answer(() => 500)
    await failLater(id, 0)
    await failLater(id, 3 * day)
    fixture.consumer.answer(() => 200)
    await failLater(id, day)
    await fixture.settled(id, (found) => found.some(({ status }) => status === 'success'))
    fixture.consumer.answer(() => 500)
    await failLater(id, 1)
    await failLater(id, 3 * day)
    await fixture.quiet()
    expect(await shown(id)).toMatchObject({ active: true, disabledReason: null })
  })

  it('gets another attempt before it is disabled, when nothing was sent for days', async () => {
    const { id } = await fixture.register()
    fixture.consumer.answer(() => 500)
    await failLater(id, 0)
    for (const [index, delay] of [30, 120, 600, 3600, 21_600, day].entries()) {
      fixture.turn(delay)
      await after(id, index + 2)
    }
    // Works again while nothing is due.
    fixture.consumer.answer(() => 200)
    fixture.turn(5 * day)
    await publishOne()
    await fixture.settled(id, (found) => found.some(({ status }) => status === 'success'))
    await fixture.quiet()
    expect(await shown(id)).toMatchObject({ active: true, disabledReason: null, lastDeliveryStatus: 'success' })
  })
})

describe('the breaker', () => {
  it('opens after ten consecutive failures, allows one request at a time, and delays none beyond its schedule', async () => {
    const { id } = await fixture.register()
    fixture.consumer.answer(() => 500)
    for (let index = 0; index < 10; index++) await publishOne()
    await fixture.settled(id, (found) => found.length === 10)
    fixture.consumer.watch()
    // Slow enough that the test would see two at a time.
    fixture.consumer.answer((_, response) => {
      setTimeout(() => response.writeHead(500).end(), 30)
      return undefined
    })
    fixture.turn(30)
    const second = await fixture.settled(id, (found) => found.every(({ attempts }) => attempts === 2))
    expect(fixture.consumer.inFlight.most).toBe(1)
    for (const { deliveredAt, nextRetryAt } of second) {
      expect(Date.parse(nextRetryAt as string) - Date.parse(deliveredAt as string)).toBe(120_000)
    }

    fixture.turn(119)
    await fixture.quiet()
    expect(fixture.consumer.received).toHaveLength(20)
    fixture.consumer.answer((_, response) => {
      setTimeout(() => response.writeHead(200).end(), 30)
      return undefined
    })
    fixture.consumer.watch()
    fixture.turn(1)
    await fixture.settled(id, all('success'))
    expect(fixture.consumer.received).toHaveLength(30)
    // The first success closed it.
    expect(fixture.consumer.inFlight.most).toBeGreaterThan(1)
    expect(fixture.consumer.received.map(({ envelope }) => envelope.deliveryAttempt)).toEqual([
      ...Array(10).fill(1),
      ...Array(10).fill(2),
      ...Array(10).fill(3),
    ])
  })

  it('stays open for another server that takes over', async () => {
    const { id } = await fixture.register()
    fixture.consumer.answer(() => 500)
    for (let index = 0; index < 10; index++) await publishOne()
    await fixture.settled(id, (found) => found.length === 10)
    await fixture.restart()
    fixture.consumer.watch()
    fixture.consumer.answer((_, response) => {
      setTimeout(() => response.writeHead(500).end(), 30)
      return undefined
    })
    fixture.turn(30)
    await fixture.settled(id, (found) => found.every(({ attempts }) => attempts === 2))
    expect(fixture.consumer.inFlight.most).toBe(1)
  })
})
