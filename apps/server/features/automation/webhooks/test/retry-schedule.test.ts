/** The whole schedule with a controlled clock: seven attempts, restarts in between, manual retry, Retry-After. */
import { createHmac } from 'node:crypto'
import { nowMs } from '@countersign/server/lib/clock.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type Delivery,
  startWebhookFixture,
  type WebhookFixture,
} from '../../../../../../tests/support/webhook-fixture.ts'

let fixture: WebhookFixture
beforeAll(async () => {
  fixture = await startWebhookFixture()
  fixture.turn(0)
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const delays = [30, 120, 600, 3600, 21_600, 86_400]
const iso = (text: unknown) => Date.parse(text as string)
const wait = ({ nextRetryAt, deliveredAt }: Delivery) => (iso(nextRetryAt) - iso(deliveredAt)) / 1000
const attemptsSeen = () => fixture.consumer.received.map(({ envelope }) => envelope.deliveryAttempt)

/** The delivery of the only event once it has had this many attempts. */
const after = async (id: string, attempts: number) =>
  (await fixture.settled(id, ([first]) => first?.attempts === attempts))[0] as Delivery

/** From the first attempt to the seventh, each as soon as it is due. */
async function exhaust(id: string, first: number): Promise<Delivery> {
  let last = await after(id, first)
  for (const [index, delay] of delays.entries()) {
    expect(wait(last)).toBe(delay)
    fixture.turn(delay)
    last = await after(id, first + index + 1)
  }
  expect(last).toMatchObject({ status: 'failed', nextRetryAt: null })
  return last
}

const retry = (eventId: string) => fixture.v1('POST', `/api/v1/webhooks/events/${eventId}/retry`)

describe('a delivery that always fails', () => {
  it('is attempted seven times, each exactly at its scheduled time, and then failed', async () => {
    fixture.consumer.answer(() => 500)
    const { id, signingSecret } = await fixture.register()
    const begun = nowMs()
    const published = (await fixture.publish()).body.data
    expect(published.deliveries).toBe(1)
    let last = await after(id, 1)
    for (const [index, delay] of delays.entries()) {
      expect(wait(last)).toBe(delay)
      expect(last).toMatchObject({ status: 'failed', responseStatus: 500 })
      fixture.turn(delay - 1)
      await fixture.quiet()
      expect(fixture.consumer.received).toHaveLength(index + 1)
      fixture.turn(1)
      last = await after(id, index + 2)
    }
    expect(last).toMatchObject({ attempts: 7, status: 'failed', nextRetryAt: null })
    fixture.turn(30 * 86_400)
    await fixture.quiet()
    expect(attemptsSeen()).toEqual([1, 2, 3, 4, 5, 6, 7])

    let dispatchedAt = begun
    for (const [index, { headers, body, envelope }] of fixture.consumer.received.entries()) {
      dispatchedAt += (index === 0 ? 0 : (delays[index - 1] as number)) * 1000
      expect(headers).toMatchObject({
        'x-service-signature': createHmac('sha256', signingSecret).update(body).digest('hex'),
        'x-service-event-id': published.id,
        'x-service-delivery-attempt': String(index + 1),
        'x-service-timestamp': new Date(dispatchedAt).toISOString(),
        'content-type': 'application/json',
      })
      expect(envelope).toEqual({
        id: published.id,
        type: 'payment.completed',
        createdAt: new Date(begun).toISOString(),
        data: { paymentId: 'pay-1', amount: 45000 },
        deliveryAttempt: index + 1,
      })
    }
  })

  it('keeps its schedule although another server sends each attempt', async () => {
    fixture.consumer.answer(() => 500)
    const { id } = await fixture.register()
    await fixture.publish()
    let last = await after(id, 1)
    for (const [index, delay] of delays.entries()) {
      expect(wait(last)).toBe(delay)
      await fixture.restart()
      fixture.turn(delay - 1)
      await fixture.quiet()
      expect(fixture.consumer.received).toHaveLength(index + 1)
      fixture.turn(1)
      last = await after(id, index + 2)
    }
    expect(last).toMatchObject({ attempts: 7, nextRetryAt: null })
    expect(attemptsSeen()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('a manual retry', () => {
  it('after the last attempt makes the eighth at once and restarts the schedule; attempts keep counting', async () => {
    fixture.consumer.answer(() => 500)
    const { id } = await fixture.register()
    const { id: eventId } = (await fixture.publish()).body.data
    await exhaust(id, 1)
    const answer = await retry(eventId)
    expect(answer.status).toBe(202)
    expect(answer.body.data).toEqual({ eventId, deliveries: [{ webhookId: id, status: 'scheduled' }] })
    expect((await exhaust(id, 8)).attempts).toBe(14)

    fixture.consumer.answer(() => 204)
    await retry(eventId)
    expect(await after(id, 15)).toMatchObject({ status: 'success', responseStatus: 204, nextRetryAt: null })
    expect(attemptsSeen()).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
    const { data: log } = (await fixture.v1('GET', `/api/v1/webhooks/${id}/deliveries/${eventId}/attempts`)).body
    expect(log.map(({ attempt, status }: Delivery) => [attempt, status])).toEqual(
      attemptsSeen().map((attempt) => [attempt, attempt === 15 ? 'success' : 'failed']),
    )
  })

  it('of a pending delivery is sent at once, and replaces the scheduled attempt', async () => {
    fixture.consumer.answer(() => 500)
    const { id } = await fixture.register()
    const { id: eventId } = (await fixture.publish()).body.data
    await after(id, 1)
    fixture.turn(30)
    expect(wait(await after(id, 2))).toBe(120)
    fixture.turn(10)
    expect((await retry(eventId)).status).toBe(202)
    expect(wait(await after(id, 3))).toBe(30)
    fixture.turn(29)
    await fixture.quiet()
    expect(attemptsSeen()).toEqual([1, 2, 3])
    fixture.turn(1)
    expect(wait(await after(id, 4))).toBe(120)
    // The time of the attempt that the retry replaced.
    fixture.turn(70)
    await fixture.quiet()
    expect(attemptsSeen()).toEqual([1, 2, 3, 4])
  })

  it('that many callers request at once is sent once', async () => {
    fixture.consumer.answer(() => 500)
    const { id } = await fixture.register()
    const { id: eventId } = (await fixture.publish()).body.data
    await after(id, 1)
    // The clock does not move and the consumer has not answered, so no attempt ends before all callers have a response.
    let release = () => {}
    fixture.consumer.answer((_, response) => {
      release = () => response.writeHead(500).end()
      return undefined
    })
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => retry(eventId)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([202, ...Array(19).fill(409)])
    await fixture.consumer.until(2)
    release()
    await after(id, 2)
    await fixture.quiet()
    expect(attemptsSeen()).toEqual([1, 2])
  })

  it('of a delivered event is refused, and of an unknown event is not found', async () => {
    const { id } = await fixture.register()
    const { id: eventId } = (await fixture.publish()).body.data
    await after(id, 1)
    expect((await retry(eventId)).status).toBe(409)
    expect((await retry('event-of-nobody')).status).toBe(404)
  })
})

describe('Retry-After', () => {
  /** The first request gets this response; all others succeed. */
  async function answered(status: number, retryAfter: string) {
    fixture.consumer.answer((_, response) => {
      if (fixture.consumer.received.length > 1) return 200
      response.writeHead(status, { 'retry-after': retryAfter }).end()
      return undefined
    })
    const { id } = await fixture.register()
    await fixture.publish()
    return { id, first: await after(id, 1) }
  }
  const inSeconds = (seconds: number) => new Date(Math.ceil(nowMs() / 1000) * 1000 + seconds * 1000)

  it.each([
    ['90 seconds', 429, '90', 90],
    ['90 seconds, of a 503', 503, '90', 90],
    ['less than the schedule', 429, '7', 30],
    ['garbage', 429, 'soon', 30],
    ['a negative number', 429, '-90', 30],
    ['a date that is past', 429, 'Sun, 06 Nov 1994 08:49:37 GMT', 30],
    ['more than a day', 429, '90000', 86_400],
    ['a date in a year', 503, 'Fri, 31 Dec 2100 23:59:59 GMT', 86_400],
    ['a wait with a status for which it is ignored', 500, '90', 30],
  ])('%s: the second attempt is made at the expected time', async (_, status, retryAfter, seconds) => {
    const { id, first } = await answered(status, retryAfter)
    expect(wait(first)).toBe(seconds)
    fixture.turn(seconds)
    expect(await after(id, 2)).toMatchObject({ status: 'success' })
  })

  it.each(['429', '503'])('of a %s pauses every other event of the endpoint, and no other endpoint', async (status) => {
    const { id } = await answered(Number(status), '90')
    const other = await fixture.newConsumer()
    await fixture.register({ url: other.url })
    fixture.turn(1)
    await fixture.publish()
    await other.until(1)
    fixture.turn(88)
    await fixture.quiet()
    expect(attemptsSeen()).toEqual([1])
    fixture.turn(1)
    await fixture.settled(id, (all) => all.length === 2 && all.every(({ status }) => status === 'success'))
    expect(attemptsSeen().toSorted()).toEqual([1, 1, 2])
  })

  it('may be a date', async () => {
    const at = inSeconds(90)
    const { id, first } = await answered(429, at.toUTCString())
    expect(first.nextRetryAt).toBe(at.toISOString())
    await fixture.publish()
    fixture.turn(89)
    await fixture.quiet()
    expect(attemptsSeen()).toEqual([1])
    fixture.turn(2)
    await fixture.settled(id, (all) => all.length === 2 && all.every(({ status }) => status === 'success'))
  })
})
