/** Recoveries since a given time, and their progress. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { recoverWebhooksJob } from '../recover-webhooks.job.ts'
import { atOnce, aWhile, elsewhere, type Fixture, said, startFixture, statuses, type Tenant } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

const pathOf = (id: string) => `/api/v1/webhooks/${id}/recover`
const recoveryOf = (id: string, recoveryId: string) => `/api/v1/webhooks/${id}/recoveries/${recoveryId}`
const longAgo = '2020-01-01T00:00:00.000Z'
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ env: { WEBHOOK_RETRY_DELAYS: '0' } })
})
afterAll(() => fixture.close())

const recover = ({ v1 }: Tenant, id: string, body: unknown = { since: longAgo }, headers = {}) =>
  v1('POST', pathOf(id), body, headers)
/** The job that a worker runs when it is woken, or within a minute. */
const work = () => recoverWebhooksJob(fixture.server.services, 'main', new AbortController().signal)

/** One event that arrived, one whose attempts are exhausted and two that were held. */
async function afterAnOutage() {
  const tenant = await fixture.tenant()
  const { id } = await tenant.register()
  await tenant.publish({ id: 'arrived' })
  await tenant.deliveries(id, (found) => found.length === 1)
  tenant.consumer.answer(() => 500)
  await tenant.publish({ id: 'failed' })
  await tenant.deliveries(id, (found) => found.length === 2)
  const activate = (active: boolean) => tenant.v1('PATCH', `/api/v1/webhooks/${id}`, { active })
  await activate(false)
  await tenant.publish({ id: 'held-1' })
  await tenant.publish({ id: 'held-2' })
  await activate(true)
  tenant.consumer.answer(() => 200)
  return { tenant, id }
}

describe('recover: 202', () => {
  it('returns the number of deliveries, and the recovery shows its progress until it is completed', async () => {
    const { tenant, id } = await afterAnOutage()
    const { status, body } = await recover(tenant, id)
    expect(status).toBe(202)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^rcv_/),
        webhookId: id,
        since: longAgo,
        status: 'running',
        total: 3,
        recovered: 0,
        createdAt: expect.stringMatching(/Z$/),
        completedAt: null,
      },
    })
    const follow = () => tenant.v1('GET', recoveryOf(id, body.data.id))
    expect((await follow()).body).toEqual(body)
    await work()
    const completed = await follow()
    expect([completed.status, completed.body.data]).toEqual([
      200,
      { ...body.data, status: 'completed', recovered: 3, completedAt: expect.stringMatching(/Z$/) },
    ])
    await tenant.deliveries(id, (found) => found.length === 4 && found.every((each) => each.status === 'success'))
    await aWhile()
    const ids = tenant.consumer.received.map(({ envelope }) => envelope.id)
    expect(ids.toSorted()).toEqual(['arrived', 'failed', 'failed', 'held-1', 'held-2'])
  })

  it('sends events since the given time, and none that are older', async () => {
    const { tenant, id } = await afterAnOutage()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const since = new Date().toISOString()
    await tenant.v1('PATCH', `/api/v1/webhooks/${id}`, { active: false })
    await tenant.publish({ id: 'late' })
    await tenant.v1('PATCH', `/api/v1/webhooks/${id}`, { active: true })
    expect((await recover(tenant, id, { since })).body.data).toMatchObject({ since, total: 1 })
    await work()
    await tenant.deliveries(id, ([newest]) => newest?.eventId === 'late')
    await aWhile()
    expect(tenant.consumer.received.map(({ envelope }) => envelope.id)).toEqual(['arrived', 'failed', 'late'])
  })

  it('accepts a time without events, and one before 1970', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register()
    const { body } = await recover(tenant, id, { since: '0001-01-02T00:00:00Z' })
    expect(body.data).toMatchObject({ since: '0001-01-02T00:00:00.000Z', total: 0 })
    await work()
    expect((await tenant.v1('GET', recoveryOf(id, body.data.id))).body.data.status).toBe('completed')
  })

  it('starts one recovery for the same Idempotency-Key', async () => {
    const { tenant, id } = await afterAnOutage()
    const once = { 'idempotency-key': 'v-1' }
    const [first, again] = [
      await recover(tenant, id, { since: longAgo }, once),
      await recover(tenant, id, { since: longAgo }, once),
    ]
    expect([again.status, again.text]).toEqual([202, first.text])
  })
})

describe('recover: 409 CONFLICT', () => {
  it('for all but one of fifty concurrent requests, and until that one is completed', async () => {
    const { tenant, id } = await afterAnOutage()
    const answers = await atOnce(50, () => recover(tenant, id))
    expect(statuses(answers)).toEqual({ 202: 1, 409: 49 })
    expect(said(await recover(tenant, id))).toEqual([409, 'CONFLICT'])
    await work()
    await tenant.deliveries(id, (found) => found.length === 4 && found.every((each) => each.status === 'success'))
    expect(tenant.consumer.received).toHaveLength(5)
    expect((await recover(tenant, id)).body.data).toMatchObject({ status: 'running', total: 0 })
  })

  it('for a webhook that is not active', async () => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere, active: false })
    expect(said(await recover(tenant, id))).toEqual([409, 'CONFLICT'])
  })
})

describe('recover: 422 VALIDATION_ERROR', () => {
  it.each([
    ['no moment', {}, 'since'],
    ['a moment in the future', { since: '2999-01-01T00:00:00Z' }, 'since'],
    ['a day without a time', { since: '2026-11-14' }, 'since'],
    ['a number', { since: 0 }, 'since'],
    ['an unknown field', { since: longAgo, until: longAgo }, 'until'],
  ])('%s', async (_, body, at) => {
    const tenant = await fixture.tenant()
    const { id } = await tenant.register({ url: elsewhere })
    const answer = await recover(tenant, id, body)
    expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', at])
  })
})

describe('recovery: 404 NOT_FOUND', () => {
  it('for a recovery that does not exist, or belongs to another webhook or center', async () => {
    const tenant = await fixture.tenant()
    const [one, two] = [await tenant.register({ url: elsewhere }), await tenant.register({ url: elsewhere })]
    const { id: recoveryId } = (await recover(tenant, one.id)).body.data
    expect((await tenant.v1('GET', recoveryOf(one.id, recoveryId))).status).toBe(200)
    for (const [id, asked] of [
      [one.id, newId('recovery')],
      [one.id, 'rcv_'],
      [two.id, recoveryId],
    ] as const) {
      expect(said(await tenant.v1('GET', recoveryOf(id, asked)))).toEqual([404, 'NOT_FOUND'])
    }
    const stranger = await fixture.tenant()
    expect(said(await stranger.v1('GET', recoveryOf(one.id, recoveryId)))).toEqual([404, 'NOT_FOUND'])
  })
})

const since = { since: longAgo }
describe('recover', () => {
  findsOnlyItsOwn(
    () => fixture,
    (id) => ({ method: 'POST', path: pathOf(id), body: since }),
  )
  refusesOthers(() => fixture, 'proof:write', { method: 'POST', path: pathOf('whk_any'), body: since })
})
describe('recovery', () => {
  findsOnlyItsOwn(
    () => fixture,
    (id) => ({ method: 'GET', path: recoveryOf(id, newId('recovery')) }),
  )
  refusesOthers(() => fixture, 'proof:read', { method: 'GET', path: recoveryOf('whk_any', 'rcv_any') })
})
