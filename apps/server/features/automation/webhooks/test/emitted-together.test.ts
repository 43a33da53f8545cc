/** An event commits with the change that it reports: both exist, or neither. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { armFailpoint } from '../../../../lib/failpoint.ts'
import { publish } from '../api.ts'
import { aWhile, type Fixture, startFixture } from './fixture.ts'
import { byHuman, dpuOf, subscribedCenter } from './subscribed-center.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterEach(() => armFailpoint(null))
afterAll(() => fixture.close())

describe('an event', () => {
  it('is written in the transaction of the change that it reports', async () => {
    const center = await subscribedCenter(fixture)
    await center.approve((await center.record()).id)
    const { id } = await center.unit()
    await center.raise(id, 'AUDIT_READY')
    const entries = await fixture.server.world.query<{ domain: string; transaction: string }>(
      'select domain, xmin::text as transaction from cell.entries where center_id = $1',
      [center.center.id],
    )
    const sealedIn = (domain: string) => entries.find((entry) => entry.domain === domain)?.transaction
    expect(await center.written()).toEqual([
      { type: 'agent.decision.completed', transaction: sealedIn('proof') },
      { type: 'dpu.sealed', transaction: sealedIn('proof') },
      { type: 'dpu.sealed', transaction: sealedIn('history') },
    ])
  })

  it.each(['seal.begin', 'seal.append', 'seal.settled', 'seal.judged', 'seal.written'])(
    'does not exist when the change fails at %s, and exists once after a repetition',
    async (place) => {
      const center = await subscribedCenter(fixture)
      const event = await center.record()
      armFailpoint(`fail:${place}`)
      const failed = await center.approve(event.id)
      const pending = await center.decide({}, { 'idempotency-key': 'pending' })
      armFailpoint(null)
      expect(failed.status).toBeGreaterThanOrEqual(500)
      expect(pending.body.data.dpu.status).toBe('pending')
      await aWhile()
      expect([center.consumer.received, await center.written()]).toEqual([[], []])
      expect((await center.approve(event.id)).status).toBe(200)
      expect((await center.receivedEvents(2)).map(({ type }) => type)).toEqual([
        'dpu.sealed',
        'agent.decision.completed',
      ])
    },
  )

  it('in a transaction of the center is rolled back with it', async () => {
    const center = await subscribedCenter(fixture, ['dpu.verified'])
    const caller = { requestId: 'req_verified', actorId: null, centerId: center.center.id }
    const data = { dpuId: 'dpu_1', valid: true, verifiedAt: '2026-11-15T09:30:00.000Z' }
    const verified = (then: () => void) =>
      fixture.server.services.cells.of('main').inTenant(caller, async (tx) => {
        await publish(tx, 'dpu.verified', data)
        await publish(tx, 'dpu.sealed', {
          ...data,
          eventId: null,
          decisionId: null,
          chainHash: '',
          domain: 'proof',
          actorId: '',
          evidenceLevel: 'DRAFT',
          chainIndex: 0,
          sealedAt: '',
        })
        then()
      })
    const failed = verified(() => {
      throw new Error('halfway')
    })
    await expect(failed).rejects.toThrow('halfway')
    await verified(() => {})
    expect(await center.receivedEvents(1)).toEqual([{ type: 'dpu.verified', data }])
    expect(await center.written()).toHaveLength(1)
  })

  it('is written only where a webhook subscribes to it', async () => {
    const center = await subscribedCenter(fixture, ['agent.decision.*'])
    await center.approve((await center.record()).id)
    await center.approve((await center.record(byHuman)).id)
    expect((await center.receivedEvents(1))[0]?.type).toBe('agent.decision.completed')
    expect((await center.written()).map(({ type }) => type)).toEqual(['agent.decision.completed'])
  })

  it('is sent to webhooks of its own center only', async () => {
    const [center, other] = [await subscribedCenter(fixture), await subscribedCenter(fixture)]
    await center.approve((await center.record(byHuman)).id)
    await center.receivedEvents(1)
    expect(other.consumer.received).toEqual([])
  })

  it('reaches each webhook once: five hundred requests for fifty concurrent seals', async () => {
    const center = await subscribedCenter(fixture, ['dpu.sealed'])
    for (let n = 1; n < 10; n++) {
      await center.v1('POST', '/api/v1/webhooks', { url: center.consumer.url, events: ['dpu.*'] })
    }
    const events = await Promise.all(Array.from({ length: 50 }, () => center.record(byHuman)))
    await Promise.all(events.map(({ id }) => center.approve(id)))
    const received = await center.consumer.until(500, 30_000)
    await aWhile()
    const perDpu = Object.groupBy(received, ({ envelope }) => String(envelope.data.dpuId))
    expect(Object.keys(perDpu).toSorted()).toEqual(events.map(({ id }) => dpuOf(id)).toSorted())
    for (const each of Object.values(perDpu)) {
      expect(each).toHaveLength(10)
      // One event for all webhooks, and each delivery with its own signature.
      expect(new Set(each?.map(({ envelope }) => envelope.id)).size).toBe(1)
      expect(new Set(each?.map(({ headers }) => headers['x-service-signature'])).size).toBe(10)
    }
  })
})
