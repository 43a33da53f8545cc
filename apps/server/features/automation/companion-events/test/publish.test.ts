import { appEventTypes, eventTypeNames, eventTypes } from '@countersign/contract/webhook-events.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Received } from '../../../../../../tests/support/consumer.ts'
import { sampleDecision } from '../../../../../../tests/support/proof-fixture.ts'
import { newUuid, typedId } from '../../../../lib/ids.ts'
import { atOnce, aWhile, elsewhere, type Fixture, said, startFixture, statuses } from '../../webhooks/test/fixture.ts'
import { refusesOthers } from '../../webhooks/test/refusals.ts'

const path = '/api/v1/events'
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const payment = { id: 'pay-881', type: 'payment.completed', data: { paymentId: 'pay-881', amount: 45000 } }
const written = (centerId: number) =>
  fixture.server.world.query<{ public_id: string; type: string }>(
    'select public_id, type from cell.webhook_events where center_id = $1',
    [centerId],
  )

describe('202', () => {
  it('returns the number of subscribed webhooks, and each receives the event', async () => {
    const { v1, consumer, register } = await fixture.tenant()
    await register({ events: ['payment.*'] })
    await register({ events: ['*'] })
    await register({ events: ['certificate.issued'] })
    const { status, body } = await v1('POST', path, payment)
    expect([status, body]).toEqual([202, { data: { id: 'pay-881', type: 'payment.completed', deliveries: 2 } }])
    const received = await consumer.until(2)
    await aWhile()
    expect(received).toHaveLength(2)
    for (const { envelope, headers } of received) {
      expect(envelope).toEqual({ ...payment, createdAt: expect.stringMatching(/Z$/), deliveryAttempt: 1 })
      expect(headers['x-service-event-id']).toBe('pay-881')
    }
  })

  it('without a subscribed webhook stores only the id', async () => {
    const { v1, center, register } = await fixture.tenant()
    await register({ url: elsewhere, events: ['dpu.*'] })
    expect((await v1('POST', path, payment)).body.data.deliveries).toBe(0)
    expect(await written(center.id)).toEqual([])
    await register({ url: elsewhere, events: ['*'] })
    // The first response again: the event is not sent to a webhook that was registered later.
    expect((await v1('POST', path, payment)).body.data.deliveries).toBe(0)
  })

  it.each(appEventTypes)('accepts the example of %s, and sends it unchanged', async (type) => {
    const { v1, consumer, register } = await fixture.tenant()
    const { example } = eventTypes[type]
    // A certificate names a unit of the same center.
    const dpuId = 'dpuId' in example && (await v1('POST', '/api/v1/agents/decide', sampleDecision())).body.data.dpu.id
    await register()
    const data = { ...example, ...(dpuId && { dpuId }), of: 'our own', nested: { '👩‍👧': [1e21, -0.5, null] } }
    expect((await v1('POST', path, { id: `x-${type}`, type, data })).status).toBe(202)
    const [received] = (await consumer.until(1)) as [Received]
    expect(received.envelope).toMatchObject({ type, data })
  })

  it('returns the first response for a repeated event, with members in any order, and sends it once', async () => {
    const { v1, consumer, register } = await fixture.tenant()
    await register()
    const first = await v1('POST', path, payment)
    const again = await v1('POST', path, {
      data: { amount: 45000, paymentId: 'pay-881' },
      type: payment.type,
      id: payment.id,
    })
    expect([again.status, again.text]).toEqual([202, first.text])
    await consumer.until(1)
    await aWhile()
    expect(consumer.received).toHaveLength(1)
  })

  it('fifty concurrent requests for the same event are one event with one response', async () => {
    const { v1, consumer, center, register } = await fixture.tenant()
    await register()
    const answers = await atOnce(50, () => v1('POST', path, payment))
    expect(statuses(answers)).toEqual({ 202: 50 })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.data.deliveries).toBe(1)
    await consumer.until(1)
    await aWhile()
    expect(consumer.received).toHaveLength(1)
    expect(await written(center.id)).toEqual([{ public_id: 'pay-881', type: 'payment.completed' }])
  })

  it('the same id in two centers is two events', async () => {
    for (const { v1, consumer, register } of [await fixture.tenant(), await fixture.tenant()]) {
      await register()
      expect((await v1('POST', path, payment)).body.data.deliveries).toBe(1)
      await consumer.until(1)
    }
  })

  it('returns the stored response for an Idempotency-Key', async () => {
    const { v1 } = await fixture.tenant()
    const post = () => v1('POST', path, payment, { 'idempotency-key': 'x-1' })
    const [first, again] = [await post(), await post()]
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
  })

  it('accepts an id of 255 visible characters, which names the event in every operation', async () => {
    const { v1, consumer, register, deliveries } = await fixture.tenant()
    const { id: webhookId } = await register()
    const id = `~/?#%"{}.${'x'.repeat(246)}`
    expect((await v1('POST', path, { ...payment, id })).body.data.id).toBe(id)
    const [received] = (await consumer.until(1)) as [Received]
    expect([received.envelope.id, received.headers['x-service-event-id']]).toEqual([id, id])
    expect(await deliveries(webhookId, (found) => found.length > 0)).toMatchObject([{ eventId: id }])
    const attempts = `/api/v1/webhooks/${webhookId}/deliveries/${encodeURIComponent(id)}/attempts`
    expect((await v1('GET', attempts)).status).toBe(200)
  })

  it('writes no audit entry', async () => {
    const { v1 } = await fixture.tenant()
    const { headers } = await v1('POST', path, payment)
    expect(
      await fixture.server.world.query('select from cell.audit_entries where request_id = $1', [
        headers.get('x-request-id'),
      ]),
    ).toEqual([])
  })
})

describe('409 CONFLICT', () => {
  it.each([
    ['other data', { data: { paymentId: 'pay-881', amount: 1 } }],
    ['another type', { type: 'payment.failed' }],
  ])('for the same id with %s, which is not sent', async (_, change) => {
    const { v1, center, register } = await fixture.tenant()
    await register({ url: elsewhere })
    await v1('POST', path, payment)
    const answer = await v1('POST', path, { ...payment, ...change })
    expect(said(answer)).toEqual([409, 'CONFLICT'])
    expect(answer.body.error.message).toContain('"pay-881"')
    expect(await written(center.id)).toHaveLength(1)
  })

  it('for the other of two bodies that race with one id; one event is sent', async () => {
    const { v1, center, register } = await fixture.tenant()
    await register({ url: elsewhere })
    const answers = await atOnce(50, (n) => v1('POST', path, { ...payment, data: { amount: n % 2 } }))
    expect(statuses(answers)).toEqual({ 202: 25, 409: 25 })
    expect(await written(center.id)).toHaveLength(1)
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each(eventTypeNames.filter((type) => !eventTypes[type].fromApps))(
    '%s cannot be published by an app',
    async (type) => {
      const answer = await fixture.v1('POST', path, { id: 'forged', type, data: eventTypes[type].example })
      expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', 'type'])
    },
  )

  it.each([
    ['nothing', {}, 'id'],
    ['no id', { ...payment, id: undefined }, 'id'],
    ['an empty id', { ...payment, id: '' }, 'id'],
    ['an id of 256 characters', { ...payment, id: 'x'.repeat(256) }, 'id'],
    ['an id that no header can carry', { ...payment, id: 'платёж-881' }, 'id'],
    ['an id with a line break', { ...payment, id: 'pay\r\nx: 1' }, 'id'],
    ['no type', { ...payment, type: undefined }, 'type'],
    ['the type of test events', { ...payment, type: 'ping' }, 'type'],
    ['a wildcard', { ...payment, type: 'payment.*' }, 'type'],
    ['no data', { ...payment, data: undefined }, 'data'],
    ['data as a list', { ...payment, data: [] }, 'data'],
    ['data that is null', { ...payment, data: null }, 'data'],
    ['an amount as text', { ...payment, data: { amount: '45000' } }, 'data.amount'],
    ['an empty payment id', { ...payment, data: { paymentId: '' } }, 'data.paymentId'],
    ['a time that is none', { ...payment, data: { paidAt: 'yesterday' } }, 'data.paidAt'],
    ['a time of its own', { ...payment, createdAt: '2020-01-01T00:00:00Z' }, 'createdAt'],
  ])('%s', async (_, body, at) => {
    const { v1, center, register } = await fixture.tenant()
    await register({ url: elsewhere })
    const answer = await v1('POST', path, body)
    expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', at])
    expect(await written(center.id)).toEqual([])
  })
})

describe('attendance.verified', () => {
  const [client, someone] = [newUuid(), newUuid()]
  const at = '2026-11-10T01:05:00.000Z'
  async function opened() {
    const { v1, center } = await fixture.tenant()
    const { query } = fixture.server.world
    const book = async (status = 'booked', centerId = center.id) => {
      const id = newUuid()
      await query(
        `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
         values ($1, $2, $2, $3, $3, '2026-11-10T01:00Z', '2026-11-10T02:00Z', now(), $4)`,
        [centerId, id, client, status],
      )
      return id
    }
    const rows = () =>
      query(
        'select kind, source, booking_id, client_id, reference, instructor_id, at from cell.attendance where center_id = $1',
        [center.id],
      )
    const verify = async (id: string, data: object) =>
      (await v1('POST', path, { id, type: 'attendance.verified', data })).status
    return { center, book, rows, verify }
  }
  const alone = {
    ...{ kind: 'attended', source: 'event', booking_id: null, client_id: null, reference: null, instructor_id: null },
    at: new Date(at),
  }

  it('of an appointment is its attendance, once', async () => {
    const { book, rows, verify } = await opened()
    const booking = await book()
    const data = { sessionId: typedId('booking', booking), learnerId: client, verifiedAt: at }
    expect(await Promise.all([verify('a', data), verify('a', data), verify('b', data)])).toEqual([202, 202, 202])
    const expected = {
      booking_id: booking,
      client_id: client,
      instructor_id: booking,
      at: new Date('2026-11-10T01:00Z'),
    }
    expect(await rows()).toEqual([{ ...alone, ...expected }])
  })

  it('of an appointment that staff marked changes nothing', async () => {
    const { center, book, rows, verify } = await opened()
    const booking = await book('no_show')
    await fixture.server.world.query(
      `insert into cell.attendance (center_id, id, kind, source, booking_id, client_id, at, recorded_at)
       values ($1, $2, 'no_show', 'booking', $2, $3, now(), now())`,
      [center.id, booking, client],
    )
    expect(await verify('a', { sessionId: typedId('booking', booking) })).toBe(202)
    expect(await rows()).toMatchObject([{ kind: 'no_show', source: 'booking' }])
  })

  it('of no appointment, of a canceled one, of another client or of another center stands for itself', async () => {
    const [own, other] = [await opened(), await opened()]
    const sessions = {
      nowhere: 'session-3',
      canceled: typedId('booking', await own.book('canceled')),
      foreign: typedId('booking', await other.book()),
    }
    const booked = typedId('booking', await own.book())
    for (const [id, sessionId] of Object.entries(sessions)) {
      expect(await own.verify(id, { sessionId, learnerId: client, verifiedAt: at })).toBe(202)
    }
    expect(await own.verify('someone', { sessionId: booked, learnerId: someone, verifiedAt: at })).toBe(202)
    expect(await own.verify('reference', { sessionId: booked, learnerId: 'learner-12', verifiedAt: at })).toBe(202)
    expect(await own.rows()).toEqual([
      ...Array.from({ length: 3 }, () => ({ ...alone, client_id: client })),
      { ...alone, client_id: someone },
      { ...alone, reference: 'learner-12' },
    ])
    expect(await other.rows()).toEqual([])
  })
})

it('422 for a certificate of a unit that exists in another center only, or nowhere, or that it does not name', async () => {
  const [own, other] = [await fixture.tenant(), await fixture.tenant()]
  const theirs = (await other.v1('POST', '/api/v1/agents/decide', sampleDecision())).body.data.dpu.id
  for (const dpuId of [theirs, 'dpu_01kz9x4q8hfx5r3v7t2b6n0m1c', 'nonsense', undefined]) {
    const answer = await own.v1('POST', path, { id: `c-${dpuId}`, type: 'certificate.issued', data: { dpuId } })
    expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', 'data.dpuId'])
  }
})

refusesOthers(() => fixture, 'events:write', { method: 'POST', path, body: payment })
