import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aWhile, elsewhere, type Fixture, startFixture } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

const pathOf = (id: string) => `/api/v1/webhooks/${id}`
let fixture: Fixture
beforeAll(async () => {
  // A short delay before the second attempt, so that the test would see an attempt after the deletion.
  fixture = await startFixture({ env: { WEBHOOK_RETRY_DELAYS: '0,1' } })
})
afterAll(() => fixture.close())

describe('204', () => {
  it('returns no body, and deletes the webhook with its secrets', async () => {
    const { v1, register, center } = await fixture.tenant()
    const [{ id }, other] = [await register({ url: elsewhere }), await register({ url: elsewhere })]
    const { status, text } = await v1('DELETE', pathOf(id))
    expect([status, text]).toEqual([204, ''])
    expect((await v1('GET', '/api/v1/webhooks')).body.data.map((each: { id: string }) => each.id)).toEqual([other.id])
    const secrets = await fixture.server.world.query('select from cell.webhook_secrets where center_id = $1', [
      center.id,
    ])
    expect(secrets).toHaveLength(1)
  })

  it('nothing is sent afterwards, not even a scheduled retry', async () => {
    const { v1, consumer, register, publish, deliveries } = await fixture.tenant()
    consumer.answer(() => 500)
    const { id } = await register()
    await publish()
    await deliveries(id, ([first]) => first?.attempts === 1 && first.nextRetryAt !== null)
    await v1('DELETE', pathOf(id))
    expect((await publish()).body.data.deliveries).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await aWhile()
    expect(consumer.received).toHaveLength(1)
  })

  it('does not affect other webhooks', async () => {
    const { v1, consumer, register, publish } = await fixture.tenant()
    const [{ id }] = [await register({ url: elsewhere }), await register()]
    await v1('DELETE', pathOf(id))
    expect((await publish()).body.data.deliveries).toBe(1)
    await consumer.until(1)
  })

  it('returns the same response for the same Idempotency-Key', async () => {
    const { v1, register } = await fixture.tenant()
    const { id } = await register({ url: elsewhere })
    const remove = () => v1('DELETE', pathOf(id), undefined, { 'idempotency-key': 'd-1' })
    const [first, again] = [await remove(), await remove()]
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 204, 'true'])
  })
})

findsOnlyItsOwn(
  () => fixture,
  (id) => ({ method: 'DELETE', path: pathOf(id) }),
)
refusesOthers(() => fixture, 'proof:write', { method: 'DELETE', path: pathOf('whk_any') })
