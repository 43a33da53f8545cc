import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Received } from '../../../../../../tests/support/consumer.ts'
import { atOnce, elsewhere, type Fixture, said, startFixture, statuses, type Tenant } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

const pathOf = (id: string) => `/api/v1/webhooks/${id}/rotate-secret`
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const rotate = ({ v1 }: Tenant, id: string, headers = {}) => v1('POST', pathOf(id), undefined, headers)
const signature = (secret: string, { body }: Received) => createHmac('sha256', secret).update(body).digest('hex')
const secretsOf = ({ center }: Tenant) =>
  fixture.server.world.query<{ expires_at: Date | null; sealed: Buffer }>(
    'select expires_at, sealed from cell.webhook_secrets where center_id = $1',
    [center.id],
  )

describe('200', () => {
  it('returns the id and a new secret without an envelope, and nothing else', async () => {
    const tenant = await fixture.tenant()
    const { id, signingSecret } = await tenant.register({ url: elsewhere })
    const { status, body } = await rotate(tenant, id)
    expect(status).toBe(200)
    expect(body).toEqual({ id, signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
    expect(body.signingSecret).not.toBe(signingSecret)
    for (const { sealed } of await secretsOf(tenant)) expect(sealed.includes(body.signingSecret)).toBe(false)
  })

  it('the old secret stays valid for exactly 24 hours', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const before = Date.now()
    await rotate(tenant, id)
    const after = Date.now()
    const [old, newest] = (await secretsOf(tenant)).toSorted((a, b) => (a.expires_at ? -1 : b.expires_at ? 1 : 0))
    expect(newest?.expires_at).toBeNull()
    const day = 24 * 3_600_000
    expect(old?.expires_at?.getTime()).toBeGreaterThanOrEqual(before + day)
    expect(old?.expires_at?.getTime()).toBeLessThanOrEqual(after + day)
  })

  it('the next delivery is signed with the new one, and a second header with the old one', async () => {
    const tenant = await fixture.tenant()
    const { id, signingSecret: old } = await tenant.register()
    await tenant.publish()
    const [first] = (await tenant.consumer.until(1)) as [Received]
    expect(first.headers['x-service-signature']).toBe(signature(old, first))
    expect(first.headers).not.toHaveProperty('x-service-signature-previous')
    const { signingSecret } = (await rotate(tenant, id)).body
    await tenant.publish()
    const [, second] = (await tenant.consumer.until(2)) as [Received, Received]
    expect(second.headers['x-service-signature']).toBe(signature(signingSecret, second))
    expect(second.headers['x-service-signature-previous']).toBe(signature(old, second))
  })

  it('expires all earlier secrets at once after a leak, also those of earlier rotations', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register()
    await rotate(tenant, id)
    const { status, body } = await tenant.v1('POST', pathOf(id), { expirePreviousAfterSeconds: 0 })
    expect(status).toBe(200)
    await tenant.publish()
    const [received] = (await tenant.consumer.until(1)) as [Received]
    expect(received.headers['x-service-signature']).toBe(signature(body.signingSecret, received))
    expect(received.headers).not.toHaveProperty('x-service-signature-previous')
    expect(received.headers['webhook-signature']).not.toContain(' ')
  })

  it('is possible after a leak however many secrets are valid', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    for (let n = 0; n < 4; n++) expect((await rotate(tenant, id)).status).toBe(200)
    expect((await rotate(tenant, id)).status).toBe(409)
    expect((await tenant.v1('POST', pathOf(id), { expirePreviousAfterSeconds: 0 })).status).toBe(200)
    expect((await rotate(tenant, id)).status).toBe(200)
  })

  it('returns the same secret for the same Idempotency-Key, and stores it encrypted', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const [first, again] = [
      await rotate(tenant, id, { 'idempotency-key': 'r-1' }),
      await rotate(tenant, id, { 'idempotency-key': 'r-1' }),
    ]
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true'])
    expect(await secretsOf(tenant)).toHaveLength(2)
    const [record] = await fixture.server.world.query<{ body: Buffer }>(
      'select body from cell.idempotency_records where key = $1 and center_id = $2',
      ['r-1', tenant.center.id],
    )
    expect(record?.body.includes(first.body.signingSecret)).toBe(false)
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each([
    { expirePreviousAfterSeconds: 86_401 },
    { expirePreviousAfterSeconds: -1 },
    { expirePreviousAfterSeconds: '0' },
    { expireNow: true },
  ])('for %j, and nothing is rotated', async (body) => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    expect(said(await tenant.v1('POST', pathOf(id), body))).toEqual([422, 'VALIDATION_ERROR'])
    expect(await secretsOf(tenant)).toHaveLength(1)
  })
})

describe('409 CONFLICT', () => {
  it('while five secrets are valid, and no longer when one has expired', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    for (let n = 0; n < 4; n++) expect((await rotate(tenant, id)).status).toBe(200)
    const refused = await rotate(tenant, id)
    expect(said(refused)).toEqual([409, 'CONFLICT'])
    expect(refused.body.error.message).toContain('24 hours')
    expect(await secretsOf(tenant)).toHaveLength(5)
    await fixture.server.world.query(
      `update cell.webhook_secrets set expires_at = now() - interval '1 second' where (center_id, id) in (
         select center_id, id from cell.webhook_secrets where center_id = $1 and expires_at is not null limit 1)`,
      [tenant.center.id],
    )
    expect((await rotate(tenant, id)).status).toBe(200)
    // The expired secret was deleted.
    expect(await secretsOf(tenant)).toHaveLength(5)
  })

  it('for all but four of fifty concurrent requests; one secret is the newest, and it signs', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register()
    const answers = await atOnce(50, () => rotate(tenant, id))
    expect(statuses(answers)).toEqual({ 200: 4, 409: 46 })
    const secrets = await secretsOf(tenant)
    expect(secrets).toHaveLength(5)
    expect(secrets.filter(({ expires_at }) => expires_at === null)).toHaveLength(1)
    await tenant.publish()
    const [delivery] = (await tenant.consumer.until(1)) as [Received]
    const given = answers.filter(({ status }) => status === 200).map(({ body }) => body.signingSecret as string)
    expect(new Set(given).size).toBe(4)
    const signing = given.filter((secret) => signature(secret, delivery) === delivery.headers['x-service-signature'])
    expect(signing).toHaveLength(1)
  })
})

findsOnlyItsOwn(
  () => fixture,
  (id) => ({ method: 'POST', path: pathOf(id) }),
)
refusesOthers(() => fixture, 'proof:write', { method: 'POST', path: pathOf('whk_any') })
