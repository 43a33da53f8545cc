/** Held events of inactive and deleted webhooks, and recoveries. */
import { nowMs } from '@countersign/server/lib/clock.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { backlog } from '../../../../../../tests/support/webhook-backlog.ts'
import type { Delivery } from '../../../../../../tests/support/webhook-fixture.ts'
import { all, day, startHoldingFixture } from './holding-fixture.ts'

const { fixture, patch, publishOne, arrived, after, recover, work } = await startHoldingFixture()
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const progress = async (id: string, recoveryId: string) =>
  (await fixture.v1('GET', `/api/v1/webhooks/${id}/recoveries/${recoveryId}`)).body.data

describe('a webhook that is not active', () => {
  it('is sent nothing, and when active again only new events; a recovery sends held events once', async () => {
    const { id } = await fixture.register({ active: false })
    const begun = nowMs()
    const held = [await publishOne(), await publishOne()]
    fixture.turn(7 * day)
    await fixture.quiet()
    expect(arrived()).toEqual([])

    expect(
      (await fixture.v1('POST', `/api/v1/webhooks/${id}/recover`, { since: new Date(begun).toISOString() })).status,
    ).toBe(409)
    await patch(id, { active: true })
    const fresh = await publishOne()
    await fixture.settled(id, all('success'))
    await fixture.quiet()
    expect(arrived()).toEqual([fresh])

    const { id: recoveryId, total } = await recover(id, begun)
    expect(total).toBe(2)
    await work()
    expect(await progress(id, recoveryId)).toMatchObject({ status: 'completed', recovered: 2 })
    await fixture.settled(id, (found) => found.length === 3 && all('success')(found))
    expect(arrived().toSorted()).toEqual([fresh, ...held].toSorted())
  })

  it('holds retries that become due meanwhile, and not those that become due after it is active again', async () => {
    fixture.consumer.answer(() => 500)
    const { id } = await fixture.register()
    const begun = nowMs()
    const early = await publishOne()
    await after(id, 1)
    fixture.turn(20)
    const second = await publishOne()
    await fixture.settled(id, (found) => found.length === 2)
    await patch(id, { active: false })
    // The first is due now, the second in twenty seconds.
    fixture.turn(10)
    await fixture.quiet()
    expect(fixture.consumer.received).toHaveLength(2)
    expect((await fixture.deliveries(id)).find(({ eventId }) => eventId === early)?.nextRetryAt).toBeNull()
    await patch(id, { active: true })
    fixture.consumer.answer(() => 200)
    fixture.turn(20)
    await fixture.settled(id, (found) =>
      found.some(({ eventId, status }) => eventId === second && status === 'success'),
    )
    await fixture.quiet()
    expect(fixture.consumer.received).toHaveLength(3)

    expect((await recover(id, begun)).total).toBe(1)
    await work()
    await fixture.settled(id, all('success'))
    expect(fixture.consumer.received.at(-1)?.envelope).toMatchObject({ id: early, deliveryAttempt: 2 })
  })

  it('that is deleted is sent nothing of its backlog, neither due deliveries nor retries', async () => {
    fixture.consumer.answer((_, response) => {
      response.writeHead(429, { 'retry-after': '90' }).end()
      return undefined
    })
    const { id } = await fixture.register()
    await publishOne()
    await after(id, 1)
    await backlog(fixture.server.world, fixture.center.id, id, { count: 2500 })
    expect((await fixture.v1('DELETE', `/api/v1/webhooks/${id}`)).status).toBe(204)
    fixture.turn(90)
    const due = () =>
      fixture.server.world.query('select from cell.webhook_deliveries where next_at is not null limit 1')
    await expect.poll(due, { timeout: 5000 }).toEqual([])
    expect(fixture.consumer.received).toHaveLength(1)
  })

  it('may be deleted at any time: a delivery worker does not fail when a secret was just deleted', async () => {
    const said = fixture.server.logs.length
    for (let round = 0; round < 10; round++) {
      const webhooks = await Promise.all(Array.from({ length: 4 }, () => fixture.register()))
      await publishOne()
      await new Promise((resolve) => setTimeout(resolve, round * 20))
      await Promise.all(webhooks.map(({ id }) => fixture.v1('DELETE', `/api/v1/webhooks/${id}`)))
    }
    await fixture.quiet()
    expect(fixture.server.logs.slice(said).filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})

describe('a recovery', () => {
  it('sends held and failed deliveries since the given time, and none that arrived, are pending or are older', async () => {
    const { id } = await fixture.register({ active: false })
    const older = await publishOne()
    fixture.turn(10)
    const since = nowMs()
    const held = await publishOne()
    await patch(id, { active: true })
    const success = await publishOne()
    await fixture.settled(id, all('success'))
    fixture.consumer.answer(() => 500)
    const failed = await publishOne()
    const isLast = (found: Delivery[]) => found.find(({ eventId }) => eventId === failed)
    for (const [index, delay] of [30, 120, 600, 3600, 21_600, day, 0].entries()) {
      await fixture.settled(id, (found) => isLast(found)?.attempts === index + 1)
      fixture.turn(delay)
    }
    const waits = await publishOne()
    await fixture.settled(id, (found) => found.some(({ eventId }) => eventId === waits))
    fixture.consumer.answer(() => 200)
    fixture.consumer.received.length = 0

    const { id: recoveryId, total } = await recover(id, since)
    expect(total).toBe(2)
    await work()
    await fixture.settled(id, (found) => isLast(found)?.status === 'success')
    await fixture.quiet()
    expect(await progress(id, recoveryId)).toMatchObject({ status: 'completed', total: 2, recovered: 2 })
    expect(arrived().toSorted()).toEqual([held, failed].toSorted())
    expect(isLast(await fixture.deliveries(id))?.attempts).toBe(8)
    for (const other of [older, success, waits]) expect(arrived()).not.toContain(other)
  })

  it('of 2,500 shows its progress, resumes where it was stopped, and sends each event exactly once', async () => {
    const { id } = await fixture.register({ active: false })
    const begun = nowMs()
    const ids = await backlog(fixture.server.world, fixture.center.id, id, { count: 2500, held: true })
    await patch(id, { active: true })
    const { id: recoveryId, ...started } = await recover(id, begun)
    expect(started).toMatchObject({ status: 'running', total: 2500, recovered: 0, completedAt: null })
    expect((await fixture.v1('POST', `/api/v1/webhooks/${id}/recover`, { since: started.since })).status).toBe(409)

    // As a worker that stops after each step: the signal is read once before the step and once after.
    const oneStep = () => {
      let asked = 0
      return {
        get aborted() {
          return ++asked > 1
        },
      } as AbortSignal
    }
    await work(oneStep())
    expect(await progress(id, recoveryId)).toMatchObject({ status: 'running', recovered: 1000 })
    await work(oneStep())
    expect(await progress(id, recoveryId)).toMatchObject({ status: 'running', recovered: 2000 })
    // Two workers run the same recovery.
    await Promise.all([work(), work()])
    expect(await progress(id, recoveryId)).toMatchObject({ status: 'completed', recovered: 2500 })
    await work()

    await fixture.consumer.until(2500, 20_000)
    await fixture.quiet()
    expect(arrived().toSorted()).toEqual(ids.map((each) => typedId('webhookEvent', each)).toSorted())
    expect((await recover(id, begun)).total).toBe(0)
  })
})
