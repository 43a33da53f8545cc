import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConsumer } from '../../../../../../tests/support/consumer.ts'
import { aWhile, elsewhere, type Fixture, said, startFixture, type Tenant } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

const pathOf = (id: string) => `/api/v1/webhooks/${id}`
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const patch = ({ v1 }: Pick<Tenant, 'v1'>, id: string, body: unknown, headers = {}) =>
  v1('PATCH', pathOf(id), body, headers)

describe('200', () => {
  it('returns the whole webhook, without an envelope and without its secret', async () => {
    const tenant = await fixture.tenant()
    const { signingSecret, ...registered } = await tenant.register({ url: elsewhere, description: 'before' })
    const { status, body, text } = await patch(tenant, registered.id, {
      events: ['payment.*', 'payment.*', 'dpu.sealed'],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...registered,
      events: ['payment.*', 'dpu.sealed'],
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      disabledReason: null,
    })
    expect(text).not.toContain(signingSecret)
    expect(await tenant.webhook(registered.id)).toMatchObject(body)
  })

  it.each([
    ['url', 'https://other.example.org/'],
    ['events', ['agent.*']],
    ['description', 'after'],
    ['active', false],
  ])('changes %s and nothing else', async (field, value) => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere, description: 'before' })
    const before = await tenant.webhook(id)
    const { body } = await patch(tenant, id, { [field]: value })
    expect({ ...before, [field]: value }).toMatchObject(body)
    expect(await tenant.webhook(id)).toEqual({ ...before, [field]: value })
  })

  it('without any field changes nothing', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const before = await tenant.webhook(id)
    expect(before).toMatchObject((await patch(tenant, id, {})).body)
    expect(await tenant.webhook(id)).toEqual(before)
  })

  it('later deliveries use the new URL and the new events', async () => {
    const tenant = await fixture.tenant()
    const other = await startConsumer()
    try {
      const { id } = await tenant.register()
      await tenant.publish()
      await tenant.consumer.until(1)
      await patch(tenant, id, { url: other.url, events: ['attendance.*'] })
      expect((await tenant.publish()).body.data.deliveries).toBe(0)
      expect((await tenant.publish({ type: 'attendance.verified', data: {} })).body.data.deliveries).toBe(1)
      expect((await other.until(1))[0]?.envelope.type).toBe('attendance.verified')
      await aWhile()
      expect([tenant.consumer.received.length, other.received.length]).toEqual([1, 1])
    } finally {
      await other.close()
    }
  })

  it('keeps the credentials of a broker with its URL, and removes them with another', async () => {
    const tenant = await fixture.tenant()
    const broker = { type: 'nats', url: 'tls://user:word@nats.example.org', subject: 'a.b' }
    const { id } = await tenant.register(broker)
    const sealed = async () => {
      const sql = 'select credentials is not null as kept from cell.webhooks where center_id = $1'
      return (await fixture.server.world.query<{ kept: boolean }>(sql, [tenant.center.id]))[0]?.kept
    }
    expect((await patch(tenant, id, { subject: 'c', description: 'x' })).body).toMatchObject({ subject: 'c' })
    expect(await sealed()).toBe(true)
    expect((await patch(tenant, id, { url: 'tls://other.example.org' })).body).toMatchObject({
      ...{ type: 'nats', url: 'tls://other.example.org', subject: 'c' },
    })
    expect(await sealed()).toBe(false)
    const changed = (await patch(tenant, id, { type: 'http', url: elsewhere })).body
    expect(changed).toMatchObject({ type: 'http', url: elsewhere })
    expect(changed).not.toHaveProperty('subject')
  })

  it('writes an audit entry with the names of the fields, not their values', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    await patch(tenant, id, { description: 'nobody’s business', active: false })
    const entries = await fixture.server.world.query<{ details: object }>(
      `select details from cell.audit_entries where target_id = $1 order by occurred_at, id`,
      [id],
    )
    expect(entries.map(({ details }) => details)).toEqual([
      { action: 'created' },
      { action: 'updated', fields: 'active description', active: false },
    ])
  })

  it('is applied once for an Idempotency-Key', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const once = { 'idempotency-key': 'p-1' }
    const first = await patch(tenant, id, { description: 'one' }, once)
    await patch(tenant, id, { description: 'two' })
    expect((await patch(tenant, id, { description: 'one' }, once)).text).toBe(first.text)
    expect(await tenant.webhook(id)).toMatchObject({ description: 'two' })
  })
})

describe('active', () => {
  it('false holds new events; true sends new events, and held ones wait for a recovery', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register()
    await patch(tenant, id, { active: false })
    expect((await tenant.publish({ id: 'held' })).status).toBe(202)
    await aWhile()
    expect(tenant.consumer.received).toHaveLength(0)
    await patch(tenant, id, { active: true })
    await tenant.publish({ id: 'flows' })
    await tenant.consumer.until(1)
    await aWhile()
    expect(tenant.consumer.received.map(({ envelope }) => envelope.id)).toEqual(['flows'])
    const [held] = await fixture.server.world.query<{ held: boolean }>(
      'select d.held from cell.webhook_deliveries d join cell.webhook_event_ids i on i.id = d.event_id where i.public_id = $1 and d.center_id = $2',
      ['held', tenant.center.id],
    )
    expect(held?.held).toBe(true)
  })

  it.each([
    ['true clears the reason of the service', { active: true }, { active: true, disabledReason: null }],
    ['false clears the reason of the service', { active: false }, { active: false, disabledReason: null }],
    [
      'a change without it keeps the reason',
      { description: 'x' },
      { active: false, disabledReason: 'Five days of failures.' },
    ],
  ])('%s', async (_, change, expected) => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    await fixture.server.world.query(
      `update cell.webhooks set active = false, disabled_reason = 'Five days of failures.' where center_id = $1`,
      [tenant.center.id],
    )
    await fixture.server.world.query(
      `update cell.webhook_endpoints set failures = 12, failing_since = now() - interval '6 days', not_before = now() + interval '1 hour'
       where center_id = $1`,
      [tenant.center.id],
    )
    expect(await tenant.webhook(id)).toMatchObject({ active: false, disabledReason: 'Five days of failures.' })
    expect((await patch(tenant, id, change)).body).toMatchObject(expected)
    const [health] = await fixture.server.world.query<{
      failures: number
      failing_since: unknown
      not_before: unknown
    }>('select failures, failing_since, not_before from cell.webhook_endpoints where center_id = $1', [
      tenant.center.id,
    ])
    // Only an activation resets the failures.
    const clean = { failures: 0, failing_since: null, not_before: null }
    if (expected.active) expect(health).toEqual(clean)
    else expect(health?.failures).toBe(12)
  })
})

describe('422 for a destination', () => {
  it.each([
    ['another type without a URL of it', { type: 'nats', subject: 'a' }, 'url'],
    ['a subject for HTTP', { subject: 'a' }, 'subject'],
    ['another type without its route', { type: 'nats', url: 'tls://nats.example.org' }, 'subject'],
  ])('%s', async (_, body, at) => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const answer = await patch(tenant, id, body)
    expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', at])
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each([
    ['an unknown event type', { events: ['member.created'] }, 'events'],
    ['no event in the list', { events: [] }, 'events'],
    ['http', { url: 'http://hooks.example.org/' }, 'url'],
    ['a private address', { url: 'https://192.168.0.1/' }, 'url'],
    ['active as a number', { active: 1 }, 'active'],
    ['a description that is null', { description: null }, 'description'],
    ['a chosen secret', { signingSecret: 'whsec_mine' }, 'signingSecret'],
    ['a reason', { disabledReason: null }, 'disabledReason'],
    ['another id', { id: 'whk_mine' }, 'id'],
  ])('%s', async (_, change, at) => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const before = await tenant.webhook(id)
    const answer = await patch(tenant, id, change)
    expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', at])
    expect(await tenant.webhook(id)).toEqual(before)
  })
})

findsOnlyItsOwn(
  () => fixture,
  (id) => ({ method: 'PATCH', path: pathOf(id), body: { active: true } }),
)
refusesOthers(() => fixture, 'proof:write', { method: 'PATCH', path: pathOf('whk_any'), body: { active: true } })
