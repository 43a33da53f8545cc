import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { elsewhere, type Fixture, said, startFixture } from './fixture.ts'
import { findsOnlyItsOwn, refusesOthers } from './refusals.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const pathOf = (id: string, query = '') => `/api/v1/webhooks/${id}/events${query}`
const ids = (body: { data: { events: { id: string }[] } }) => body.data.events.map(({ id }) => id)

describe('200', () => {
  it('lists what came while the webhook is turned off, oldest first, page by page', async () => {
    const { v1, register, publish } = await fixture.tenant()
    const { id } = await register({ url: elsewhere, active: false })
    expect((await v1('GET', pathOf(id))).body.data).toEqual({ events: [], next: null })
    for (const event of ['one', 'two', 'three']) await publish({ id: event })
    const first = await v1('GET', pathOf(id, '?limit=2'))
    expect(ids(first.body)).toEqual(['one', 'two'])
    const [{ type, createdAt, body }] = first.body.data.events
    expect(JSON.parse(body)).toMatchObject({ id: 'one', type, createdAt, data: { amount: 45000 }, deliveryAttempt: 1 })
    const second = await v1('GET', pathOf(id, `?limit=2&after=${first.body.data.next}`))
    expect(ids(second.body)).toEqual(['three'])
    const last = await v1('GET', pathOf(id, `?after=${second.body.data.next}`))
    expect(last.body.data).toEqual({ events: [], next: null })
    expect(
      ids((await v1('GET', pathOf(id, `?since=${new Date(Date.now() - 60_000).toISOString()}`))).body),
    ).toHaveLength(3)
    expect(ids((await v1('GET', pathOf(id, `?since=${new Date(Date.now() + 60_000).toISOString()}`))).body)).toEqual([])
  })

  it('has the events of this webhook alone', async () => {
    const { v1, register, publish } = await fixture.tenant()
    const { id } = await register({ url: elsewhere, active: false, events: ['dpu.*'] })
    await register({ url: elsewhere, active: false })
    await publish()
    expect(ids((await v1('GET', pathOf(id))).body)).toEqual([])
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each(['after=x', `after=${newId('dpu')}`, 'limit=0', 'limit=101', 'since=yesterday', 'before=x'])(
    'for %s',
    async (query) => {
      const { v1, register } = await fixture.tenant()
      const { id } = await register({ url: elsewhere, active: false })
      expect(said(await v1('GET', pathOf(id, `?${query}`)))).toEqual([422, 'VALIDATION_ERROR'])
    },
  )
})

refusesOthers(() => fixture, 'proof:read', { method: 'GET', path: pathOf(newId('webhook')) })
findsOnlyItsOwn(
  () => fixture,
  (webhookId) => ({ method: 'GET', path: pathOf(webhookId) }),
)
