import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Received } from '../../../../../../tests/support/consumer.ts'
import { elsewhere, type Fixture, said, startFixture } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

const pathOf = (id: string) => `/api/v1/webhooks/${id}/test`
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

describe('202', () => {
  it('sends a signed ping to this webhook only, whatever it is subscribed to', async () => {
    const { v1, consumer, register, deliveries } = await fixture.tenant()
    const { id, signingSecret } = await register({ events: ['certificate.issued'] })
    const other = await register({ events: ['*'] })
    const { status, body } = await v1('POST', pathOf(id))
    expect([status, body]).toEqual([202, { data: { eventId: expect.stringMatching(/^msg_/), type: 'ping' } }])
    const [ping] = (await consumer.until(1)) as [Received]
    expect(ping.envelope).toEqual({
      id: body.data.eventId,
      type: 'ping',
      createdAt: expect.stringMatching(/Z$/),
      data: { webhookId: id, message: expect.any(String) },
      deliveryAttempt: 1,
    })
    expect(ping.headers['x-service-event-id']).toBe(body.data.eventId)
    expect(ping.headers['x-service-signature']).toBe(
      createHmac('sha256', signingSecret).update(ping.body).digest('hex'),
    )
    expect(await deliveries(id, (found) => found.length > 0)).toMatchObject([
      { eventId: body.data.eventId, eventType: 'ping', status: 'success', attempts: 1 },
    ])
    expect(await deliveries(other.id, () => true)).toEqual([])
  })

  it('sends one ping for the same Idempotency-Key', async () => {
    const { v1, consumer, register } = await fixture.tenant()
    const { id } = await register()
    const ping = () => v1('POST', pathOf(id), undefined, { 'idempotency-key': 't-1' })
    const [first, again] = [await ping(), await ping()]
    expect([again.status, again.text]).toEqual([202, first.text])
    // A later ping arrives, so a second one would have arrived before it.
    await v1('POST', pathOf(id))
    await consumer.until(2)
    expect(new Set(consumer.received.map(({ envelope }) => envelope.id)).size).toBe(2)
  })
})

describe('409 CONFLICT', () => {
  it('for a webhook that is not active', async () => {
    const { v1, register } = await fixture.tenant()
    const { id } = await register({ url: elsewhere, active: false })
    const answer = await v1('POST', pathOf(id))
    expect(said(answer)).toEqual([409, 'CONFLICT'])
    expect(answer.body.error.message).toContain('"active"')
  })
})

findsOnlyItsOwn(
  () => fixture,
  (id) => ({ method: 'POST', path: pathOf(id) }),
)
refusesOthers(() => fixture, 'proof:write', { method: 'POST', path: pathOf('whk_any') })
