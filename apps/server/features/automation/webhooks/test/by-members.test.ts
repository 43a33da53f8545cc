import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWebhookFixture, type WebhookFixture } from '../../../../../../tests/support/webhook-fixture.ts'
import { recoverWebhooksJob } from '../recover-webhooks.job.ts'

let fixture: WebhookFixture
let token: string

beforeAll(async () => {
  fixture = await startWebhookFixture({ env: { WEBHOOK_RETRY_DELAYS: '0' } })
  const { server, center } = fixture
  const person = await server.world.person()
  await server.world.member(person, center, 'ADMIN')
  token = (await server.signIn(person, center.domain)).accessToken
})
afterAll(() => fixture.close())

const call = async (method: string, path: string, body?: object) => {
  const answer = await fixture.server.call(method, `/api${path}`, { token, ...(body && { body }) })
  return { status: answer.status, data: answer.body?.data, error: answer.body?.error }
}
const deliveriesOf = async (id: string, query = '') => (await call('GET', `/webhooks/${id}/deliveries${query}`)).data

async function until<T>(ask: () => Promise<T>, wanted: (found: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await ask()
    if (wanted(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('not reached')
}

it('a webhook that fails is seen with its bytes and reasons, mended, and recovered with progress', async () => {
  const { consumer, server } = fixture
  const registered = await call('POST', '/webhooks', { url: consumer.url, events: ['payment.*'] })
  expect(registered.data.signingSecret).toMatch(/^whsec_/)
  const { id } = registered.data
  consumer.answer(() => 503)
  for (let n = 0; n < 3; n++) await fixture.publish()
  const failed = await until(
    () => deliveriesOf(id, '?state=failed'),
    ({ deliveries }) => deliveries.length === 3,
  )
  const { eventId } = failed.deliveries[0]
  const { data } = await call('GET', `/webhooks/${id}/deliveries/${eventId}`)
  expect(data).toMatchObject({ state: 'failed', attempts: 1, responseStatus: 503, scheduleSeconds: [0] })
  expect(data.history).toMatchObject([{ attempt: 1, responseStatus: 503, status: 'failed', error: expect.any(String) }])
  expect(consumer.received.map(({ body }) => body.toString())).toContain(data.body)
  const [listed] = (await call('GET', '/webhooks')).data
  expect(listed).toMatchObject({ id, recent: { succeeded: 0, failed: 3, pending: 0, held: 0 }, recovery: null })

  const first = await deliveriesOf(id, '?limit=2')
  const rest = await deliveriesOf(id, `?limit=2&before=${first.next}`)
  expect([first.deliveries.length, rest.deliveries.length, rest.next]).toEqual([2, 1, null])

  consumer.answer(() => 200)
  expect((await call('POST', `/webhooks/events/${eventId}/retry`)).status).toBe(202)
  const recovery = await call('POST', `/webhooks/${id}/recover`, { since: '2020-01-01T00:00:00.000Z' })
  expect(recovery.status).toBe(202)
  await recoverWebhooksJob(server.services, 'main', new AbortController().signal)
  const mended = await until(
    async () => (await call('GET', '/webhooks')).data[0],
    ({ recent, recovery: last }) => recent.succeeded === 3 && last?.status === 'completed',
  )
  expect(mended.recovery.recovered).toBe(recovery.data.total)
})

it('a rotated secret leaves two ages, a test is sent, and a deleted webhook is gone', async () => {
  const [{ id }] = (await call('GET', '/webhooks')).data
  expect((await call('POST', `/webhooks/${id}/rotate-secret`, {})).data.signingSecret).toMatch(/^whsec_/)
  const [{ secrets }] = (await call('GET', '/webhooks')).data
  expect(secrets.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt === null)).toEqual([true, false])
  expect((await call('POST', `/webhooks/${id}/test`)).data.type).toBe('ping')
  expect((await call('PATCH', `/webhooks/${id}`, { active: false })).data.active).toBe(false)
  await fixture.publish()
  // The ping too, if the webhook was inactive before it was sent.
  const [held] = (await deliveriesOf(id, '?state=held')).deliveries
  expect(held).toMatchObject({ eventType: 'payment.completed', attempts: 0, attemptedAt: null })
  expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204)
  expect((await call('GET', '/webhooks')).data).toEqual([])
  expect((await call('GET', `/webhooks/${id}/deliveries`)).status).toBe(404)
})

it('invalid input is refused in the format of the platform', async () => {
  for (const body of [
    { url: 'http://10.0.0.1/', events: ['*'] },
    { url: fixture.consumer.url, events: ['nothing'] },
  ]) {
    const { status, error } = await call('POST', '/webhooks', body)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
  }
  const { id } = (await call('POST', '/webhooks', { url: fixture.consumer.url, events: ['*'] })).data
  const paged = await call('GET', `/webhooks/${id}/deliveries?before=x`)
  expect([paged.status, paged.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect((await call('GET', '/webhooks/event-types')).data.length).toBeGreaterThan(5)
})
