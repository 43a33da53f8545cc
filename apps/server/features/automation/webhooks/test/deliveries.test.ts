/** The deliveries of a webhook, and the attempts of one of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { elsewhere, type Fixture, said, startFixture } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

const pathOf = (id: string, query = '') => `/api/v1/webhooks/${id}/deliveries${query}`
const attemptsOf = (id: string, eventId: string) =>
  `/api/v1/webhooks/${id}/deliveries/${encodeURIComponent(eventId)}/attempts`
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ env: { WEBHOOK_RETRY_DELAYS: '0,0.3,600' } })
})
afterAll(() => fixture.close())

describe('deliveries: 200', () => {
  it('returns an empty list before the first delivery', async () => {
    const { v1, register } = await fixture.tenant()
    const { id } = await register({ active: false })
    const { status, body } = await v1('GET', pathOf(id))
    expect([status, body]).toEqual([200, { data: [] }])
  })

  it('shows one row for each event, with the outcome of the last attempt', async () => {
    const { v1, consumer, register, publish, deliveries } = await fixture.tenant()
    const { id } = await register()
    await publish({ id: 'arrived' })
    await deliveries(id, (found) => found.length === 1)
    consumer.answer(() => 503)
    await publish({ id: 'fails', type: 'attendance.verified', data: {} })
    await deliveries(id, ([first]) => first?.attempts === 2)
    const { body } = await v1('GET', pathOf(id))
    expect(body).toEqual({
      data: [
        {
          eventId: 'fails',
          eventType: 'attendance.verified',
          deliveredAt: iso,
          status: 'failed',
          responseStatus: 503,
          attempts: 2,
          nextRetryAt: iso,
        },
        {
          eventId: 'arrived',
          eventType: 'payment.completed',
          deliveredAt: iso,
          status: 'success',
          responseStatus: 200,
          attempts: 1,
          nextRetryAt: null,
        },
      ],
    })
    const [failed] = body.data
    expect(Date.parse(failed.nextRetryAt) - Date.parse(failed.deliveredAt)).toBe(600_000)
  })

  it('shows 50, newest first, or as many as the limit', async () => {
    const { v1, register, publish, deliveries } = await fixture.tenant()
    const { id } = await register()
    for (let n = 0; n < 60; n++) await publish({ id: `n-${n}` })
    await deliveries(id, (found) => found.length === 60)
    const ids = async (query: string) =>
      (await v1('GET', pathOf(id, query))).body.data.map(({ eventId }: { eventId: string }) => eventId)
    const newestFirst = Array.from({ length: 60 }, (_, n) => `n-${59 - n}`)
    expect(await ids('')).toEqual(newestFirst.slice(0, 50))
    expect(await ids('?limit=1')).toEqual(newestFirst.slice(0, 1))
    expect(await ids('?limit=100')).toEqual(newestFirst)
  })

  it('shows no delivery of another webhook of the same center', async () => {
    const { register, publish, deliveries } = await fixture.tenant()
    const [one, two] = [await register({ events: ['payment.*'] }), await register({ events: ['certificate.*'] })]
    await publish({ id: 'paid' })
    expect(await deliveries(one.id, (found) => found.length > 0)).toMatchObject([{ eventId: 'paid' }])
    expect(await deliveries(two.id, () => true)).toEqual([])
  })

  it('accepts a key that may only read', async () => {
    const { center, register } = await fixture.tenant()
    const { id } = await register({ url: elsewhere })
    const token = await fixture.server.world.key(center, { scopes: ['proof:read'] })
    expect((await fixture.server.call('GET', pathOf(id), { token })).status).toBe(200)
  })
})

describe('deliveries: 422 VALIDATION_ERROR', () => {
  it.each(['0', '101', '-1', '1.5', 'all', ''])('limit=%s', async (limit) => {
    const { v1, register } = await fixture.tenant()
    const { id } = await register({ url: elsewhere })
    expect(said(await v1('GET', pathOf(id, `?limit=${limit}`)))).toEqual([422, 'VALIDATION_ERROR'])
  })
})

describe('attempts: 200', () => {
  it('shows every attempt with its time, duration and response', async () => {
    const { v1, consumer, register, publish, deliveries } = await fixture.tenant()
    const { id } = await register()
    let calls = 0
    consumer.answer((_, response) => {
      if (++calls === 1) response.writeHead(500).end('no space')
      else response.writeHead(201).end('x'.repeat(2000))
      return undefined
    })
    await publish({ id: 'tried-twice' })
    const [delivery] = await deliveries(id, ([first]) => first?.status === 'success')
    const { status, body } = await v1('GET', attemptsOf(id, 'tried-twice'))
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          attempt: 1,
          at: iso,
          ms: expect.any(Number),
          status: 'failed',
          responseStatus: 500,
          responseBody: 'no space',
          error: 'http',
          message: 'The endpoint responded with 500; only a 2xx response counts as received.',
        },
        {
          attempt: 2,
          at: delivery?.deliveredAt,
          ms: expect.any(Number),
          status: 'success',
          responseStatus: 201,
          responseBody: 'x'.repeat(1024),
          error: null,
          message: null,
        },
      ],
    })
    for (const { ms } of body.data) expect(ms).toBeLessThan(5000)
  })

  it('shows the error where there was no response', async () => {
    const { v1, consumer, register, publish, deliveries } = await fixture.tenant()
    const { id } = await register()
    consumer.answer((_, response) => {
      response.destroy()
      return undefined
    })
    await publish({ id: 'cut-off' })
    const [delivery] = await deliveries(id, (found) => found.length > 0)
    expect(delivery).toMatchObject({ status: 'failed', responseStatus: null })
    const [attempt] = (await v1('GET', attemptsOf(id, 'cut-off'))).body.data
    expect(attempt).toMatchObject({ attempt: 1, status: 'failed', responseStatus: null, responseBody: '' })
    expect(attempt.error).toMatch(/^[a-z_]+$/)
    expect(attempt.message.length).toBeGreaterThan(10)
  })
})

describe('attempts: 404 NOT_FOUND', () => {
  it('for an event that does not exist, or was not sent to this webhook', async () => {
    const { v1, register, publish, deliveries } = await fixture.tenant()
    const [one, two] = [await register({ events: ['payment.*'] }), await register({ events: ['certificate.*'] })]
    await publish({ id: 'paid' })
    await deliveries(one.id, (found) => found.length > 0)
    expect((await v1('GET', attemptsOf(one.id, 'paid'))).status).toBe(200)
    for (const [id, eventId] of [
      [one.id, 'never'],
      [one.id, newId('webhookEvent')],
      [two.id, 'paid'],
    ] as const) {
      expect(said(await v1('GET', attemptsOf(id, eventId)))).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('for another center, although it knows both ids', async () => {
    const { register, publish, deliveries } = await fixture.tenant()
    const other = await fixture.tenant()
    const { id } = await register()
    await publish({ id: 'ours' })
    await deliveries(id, (found) => found.length > 0)
    expect(said(await other.v1('GET', attemptsOf(id, 'ours')))).toEqual([404, 'NOT_FOUND'])
    const own = await other.register({ url: elsewhere })
    expect(said(await other.v1('GET', attemptsOf(own.id, 'ours')))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('deliveries', () => {
  findsOnlyItsOwn(
    () => fixture,
    (id) => ({ method: 'GET', path: pathOf(id) }),
  )
  refusesOthers(() => fixture, 'proof:read', { method: 'GET', path: pathOf('whk_any') })
})
describe('attempts', () => {
  findsOnlyItsOwn(
    () => fixture,
    (id) => ({ method: 'GET', path: attemptsOf(id, 'any') }),
  )
  refusesOthers(() => fixture, 'proof:read', { method: 'GET', path: attemptsOf('whk_any', 'any') })
})
