import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { elsewhere, type Fixture, startFixture, until } from './fixture.ts'
import { refusesOthers } from './refusals.ts'

const path = '/api/v1/webhooks'
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

describe('200', () => {
  it('returns an empty list before the first registration', async () => {
    const { v1 } = await fixture.tenant()
    const { status, body } = await v1('GET', path)
    expect([status, body]).toEqual([200, { data: [] }])
  })

  it('shows every webhook of the center, newest first, without secrets', async () => {
    const { v1, register } = await fixture.tenant()
    const older = await register({ url: elsewhere, description: 'older' })
    const newer = await register({ url: elsewhere, events: ['dpu.*'], active: false })
    await (await fixture.tenant()).register({ url: elsewhere })
    const { status, body, text } = await v1('GET', path)
    expect(status).toBe(200)
    const untried = {
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      disabledReason: null,
      recovery: null,
      recent: { succeeded: 0, failed: 0, pending: 0, held: 0 },
      secrets: [{ createdAt: expect.any(String), expiresAt: null }],
    }
    const { signingSecret: _, ...shownNewer } = newer
    const { signingSecret: __, ...shownOlder } = older
    expect(body).toEqual({
      data: [
        { ...shownNewer, ...untried },
        { ...shownOlder, ...untried },
      ],
    })
    for (const secret of [older.signingSecret, newer.signingSecret]) expect(text).not.toContain(secret)
    expect(text).not.toContain('whsec_')
  })

  it('shows the time and the outcome of the last delivery', async () => {
    const { consumer, register, publish, webhook } = await fixture.tenant()
    const { id } = await register()
    const before = Date.now()
    await publish()
    const arrived = await until(
      () => webhook(id),
      (found) => found?.lastDeliveryStatus === 'success',
    )
    expect(Date.parse(arrived?.lastDeliveryAt as string)).toBeGreaterThanOrEqual(before)
    consumer.answer(() => 500)
    await publish()
    const failed = await until(
      () => webhook(id),
      (found) => found?.lastDeliveryStatus === 'failed',
    )
    expect(Date.parse(failed?.lastDeliveryAt as string)).toBeGreaterThan(Date.parse(arrived?.lastDeliveryAt as string))
  })

  it('accepts a key that may only read', async () => {
    const token = await fixture.server.world.key(fixture.center, { scopes: ['proof:read'] })
    expect((await fixture.server.call('GET', path, { token })).status).toBe(200)
  })
})

refusesOthers(() => fixture, 'proof:read', { method: 'GET', path })
