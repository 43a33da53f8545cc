import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { atOnce, aWhile, type Fixture, said, startFixture, statuses, type Tenant } from './fixture.ts'
import { refusesOthers } from './refusals.ts'

const pathOf = (eventId: string) => `/api/v1/webhooks/events/${encodeURIComponent(eventId)}/retry`
let fixture: Fixture
beforeAll(async () => {
  // One attempt without automatic retries.
  fixture = await startFixture({ env: { WEBHOOK_RETRY_DELAYS: '0' } })
})
afterAll(() => fixture.close())

const retry = ({ v1 }: Tenant, eventId: string, headers = {}) => v1('POST', pathOf(eventId), undefined, headers)

/** An event whose attempts are exhausted at a webhook whose consumer works again. */
async function failedEvent(eventId: string, overrides = {}) {
  const tenant = await fixture.tenant()
  const { id } = await tenant.register(overrides)
  tenant.consumer.answer(() => 500)
  await tenant.publish({ id: eventId })
  await tenant.deliveries(id, ([first]) => first?.status === 'failed' && first.nextRetryAt === null)
  tenant.consumer.answer(() => 200)
  return { tenant, id }
}

describe('202', () => {
  it('returns the scheduled deliveries, sends at once, and keeps counting attempts', async () => {
    const { tenant, id } = await failedEvent('again')
    const { status, body } = await retry(tenant, 'again')
    expect([status, body]).toEqual([
      202,
      { data: { eventId: 'again', deliveries: [{ webhookId: id, status: 'scheduled' }] } },
    ])
    await tenant.consumer.until(2)
    expect(tenant.consumer.received.map(({ envelope }) => [envelope.id, envelope.deliveryAttempt])).toEqual([
      ['again', 1],
      ['again', 2],
    ])
    expect(await tenant.deliveries(id, ([first]) => first?.status === 'success')).toMatchObject([
      { eventId: 'again', attempts: 2, responseStatus: 200, nextRetryAt: null },
    ])
  })

  it('is accepted again after another failure', async () => {
    const { tenant, id } = await failedEvent('thrice')
    tenant.consumer.answer(() => 500)
    expect((await retry(tenant, 'thrice')).status).toBe(202)
    await tenant.deliveries(id, ([first]) => first?.attempts === 2)
    expect((await retry(tenant, 'thrice')).status).toBe(202)
    await tenant.deliveries(id, ([first]) => first?.attempts === 3)
  })

  it('sends nothing to endpoints where the event has arrived', async () => {
    const tenant = await fixture.tenant()
    const [well, ill] = [await tenant.register(), await tenant.register({ url: `${tenant.consumer.url}/ill` })]
    let failing = true
    const paths: string[] = []
    tenant.consumer.answer((_, response) => {
      const path = response.req.url as string
      paths.push(path)
      return failing && path.endsWith('/ill') ? 500 : 200
    })
    await tenant.publish({ id: 'partly' })
    for (const { id } of [well, ill]) await tenant.deliveries(id, (found) => found.length > 0)
    failing = false
    expect((await retry(tenant, 'partly')).body.data.deliveries).toEqual([{ webhookId: ill.id, status: 'scheduled' }])
    await tenant.deliveries(ill.id, ([first]) => first?.status === 'success')
    expect(paths.filter((path) => path.endsWith('/ill'))).toHaveLength(2)
    expect(paths).toHaveLength(3)
  })

  it('accepts the ids of our own events', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register()
    tenant.consumer.answer(() => 500)
    const { eventId } = (await tenant.v1('POST', `/api/v1/webhooks/${id}/test`)).body.data
    await tenant.deliveries(id, (found) => found.length > 0)
    tenant.consumer.answer(() => 200)
    expect((await retry(tenant, eventId)).body.data).toEqual({
      eventId,
      deliveries: [{ webhookId: id, status: 'scheduled' }],
    })
    await tenant.deliveries(id, ([first]) => first?.status === 'success')
  })

  it('returns the same response for the same Idempotency-Key, and sends once', async () => {
    const { tenant, id } = await failedEvent('once')
    const [first, again] = [
      await retry(tenant, 'once', { 'idempotency-key': 'e-1' }),
      await retry(tenant, 'once', { 'idempotency-key': 'e-1' }),
    ]
    expect([again.status, again.text]).toEqual([202, first.text])
    await tenant.deliveries(id, ([delivery]) => delivery?.attempts === 2)
    await aWhile()
    expect(tenant.consumer.received).toHaveLength(2)
  })

  it('for one of fifty concurrent requests, 409 for the others, and one new request at the consumer', async () => {
    const { tenant, id } = await failedEvent('contended')
    const answers = await atOnce(50, () => retry(tenant, 'contended'))
    expect(statuses(answers)).toEqual({ 202: 1, 409: 49 })
    await tenant.deliveries(id, ([first]) => first?.status === 'success')
    await aWhile()
    expect(tenant.consumer.received.map(({ envelope }) => envelope.deliveryAttempt)).toEqual([1, 2])
  })
})

describe('404 NOT_FOUND', () => {
  it.each<[string, () => Promise<string>]>([
    ['does not exist', async () => 'never published'],
    ['has a valid id that was never assigned', async () => newId('webhookEvent')],
    ['is the id of something else', async () => newId('dpu')],
    [
      'belongs to another center',
      async () => {
        await failedEvent('theirs')
        return 'theirs'
      },
    ],
  ])('when the event %s', async (_, eventId) => {
    const tenant = await fixture.tenant()
    await tenant.register()
    expect(said(await retry(tenant, await eventId()))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('409 CONFLICT', () => {
  it('when it has arrived', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register()
    await tenant.publish({ id: 'arrived' })
    await tenant.deliveries(id, (found) => found.length > 0)
    expect(said(await retry(tenant, 'arrived'))).toEqual([409, 'CONFLICT'])
  })

  it('when no webhook subscribed to it', async () => {
    const tenant = await fixture.tenant()
    await tenant.publish({ id: 'unheard' })
    expect(said(await retry(tenant, 'unheard'))).toEqual([409, 'CONFLICT'])
  })

  it('when the webhook where it failed is not active', async () => {
    const { tenant, id } = await failedEvent('inactive')
    await tenant.v1('PATCH', `/api/v1/webhooks/${id}`, { active: false })
    expect(said(await retry(tenant, 'inactive'))).toEqual([409, 'CONFLICT'])
    await tenant.v1('PATCH', `/api/v1/webhooks/${id}`, { active: true })
    expect((await retry(tenant, 'inactive')).status).toBe(202)
  })
})

refusesOthers(() => fixture, 'proof:write', { method: 'POST', path: pathOf('any') })
