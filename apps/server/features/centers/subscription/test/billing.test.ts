/** Signed statements of the billing system, in payment events that are sent with a key of the center. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { signedText } from '../billing.ts'

const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, shown: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }
}
const [retired, current, stranger] = [newKey(), newKey(), newKey()]
let server: TestServer

beforeAll(async () => {
  server = await startServer({ env: { BILLING_KEYS: `${current.shown},${retired.shown}` } })
})
afterAll(() => server.close())

async function subscriber(status: SubscriptionStatus): Promise<Center & { key: string }> {
  const center = await server.world.center()
  await server.world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', $2, 'MONTHLY', '2026-12-01T00:00:00Z', 20)`,
    [center.id, status],
  )
  return { ...center, key: await server.world.key(center, { scopes: ['events:write'] }) }
}

interface Said {
  readonly type?: string
  readonly id?: string
  readonly status?: string
  readonly centerId?: number
  readonly occurredAt?: string
  readonly currentPeriodEnd?: string
  readonly planId?: string
  readonly invoice?: object
}

function eventOf(center: Center, said: Said, key: KeyObject = current.privateKey) {
  const { id = newUuid(), type = 'payment.completed', status = 'ACTIVE', centerId = center.id, ...rest } = said
  const statement = { centerId, status, occurredAt: '2026-11-15T09:00:00.000Z', ...rest } as never
  const signature = sign(null, Buffer.from(signedText({ id, type }, statement)), key).toString('base64')
  return { id, type, data: { paymentId: 'pay-1', centerSubscription: { ...(statement as object), signature } } }
}

const send = (center: { key: string }, body: unknown) =>
  server.call('POST', '/api/v1/events', { token: center.key, body })

const rowOf = async (center: Center) =>
  (
    await server.world.query<{ status: string; current_period_end: Date; plan_id: string; seat_limit: number }>(
      'select status, current_period_end, plan_id, seat_limit from directory.subscriptions where center_id = $1',
      [center.id],
    )
  )[0]
const entriesOf = (center: Center) =>
  server.world.query<{ details: object; actor_id: string }>(
    `select details, actor_id from directory.audit_entries where type = 'center.updated' and center_id = $1`,
    [center.id],
  )
const failed = (status: string, rest: Said = {}): Said => ({ type: 'payment.failed', status, ...rest })

describe('202', () => {
  it.each([
    ['TRIAL', {}, 'ACTIVE'],
    ['TRIAL', failed('PAST_DUE'), 'PAST_DUE'],
    ['ACTIVE', failed('PAST_DUE'), 'PAST_DUE'],
    ['PAST_DUE', {}, 'ACTIVE'],
    ['PAST_DUE', failed('SUSPENDED'), 'SUSPENDED'],
    ['SUSPENDED', failed('CANCELED'), 'CANCELED'],
    ['SUSPENDED', {}, 'ACTIVE'],
    ['CANCELED', {}, 'ACTIVE'],
  ] as const)('%s follows %j', async (from, said, to) => {
    const center = await subscriber(from)
    const answer = await send(center, eventOf(center, said))
    expect([answer.status, answer.body.data.subscription]).toEqual([202, { status: to }])
    expect(await rowOf(center)).toMatchObject({ status: to })
    expect(await entriesOf(center)).toMatchObject(
      [{ actor_id: /^key_/, details: { from, to } }].map((entry) => ({
        ...entry,
        actor_id: expect.stringMatching(entry.actor_id),
      })),
    )
  })

  it('renews the period and changes the plan', async () => {
    const center = await subscriber('ACTIVE')
    const currentPeriodEnd = '2027-01-01T00:00:00.000Z'
    await send(center, eventOf(center, { currentPeriodEnd, planId: 'center-growth' }, retired.privateKey))
    expect(await rowOf(center)).toEqual({
      ...{ status: 'ACTIVE', plan_id: 'center-growth', seat_limit: 100 },
      current_period_end: new Date(currentPeriodEnd),
    })
    const token = await server.world.person().then(async (person) => {
      await server.world.member(person, center)
      return (await server.signIn(person, center.domain)).accessToken
    })
    const put = await server.call('GET', '/api/center/subscription', { token })
    expect(put.body.data.standing.works).toContain('Workflow settings')
  })

  it('changes nothing when it is repeated, late, or not about a subscription', async () => {
    const center = await subscriber('TRIAL')
    const first = eventOf(center, { occurredAt: '2026-11-15T10:00:00.000Z' })
    for (let times = 0; times < 3; times++)
      expect((await send(center, first)).body.data.subscription.status).toBe('ACTIVE')
    const late = eventOf(center, failed('PAST_DUE', { occurredAt: '2026-11-15T09:59:59.999Z' }))
    expect((await send(center, late)).body.data.subscription).toEqual({ status: 'ACTIVE' })
    const own = { id: newUuid(), type: 'payment.failed', data: { paymentId: 'pay-2', reason: 'card_declined' } }
    expect((await send(center, own)).body.data.subscription).toBeUndefined()
    expect(await rowOf(center)).toMatchObject({ status: 'ACTIVE' })
    expect(await entriesOf(center)).toHaveLength(1)
  })

  it('shows invoices as they were stated, the latest statement of each', async () => {
    const center = await subscriber('TRIAL')
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken: token } = await server.signIn(person, center.domain)
    const list = async () => (await server.call('GET', '/api/center/subscription/invoices', { token })).body
    expect((await list()).data).toEqual([])
    const invoice = { number: 'INV-1', amount: '149000', currency: 'KRW', url: 'https://billing.example/INV-1' }
    const at = (hour: number) => ({ occurredAt: `2026-11-15T${hour}:00:00.000Z` })
    expect((await send(center, eventOf(center, failed('PAST_DUE', { ...at(10), invoice })))).status).toBe(202)
    expect((await list()).data).toMatchObject([{ ...invoice, paid: false }])
    await send(center, eventOf(center, { ...at(12), invoice }))
    await send(center, eventOf(center, failed('PAST_DUE', { ...at(11), invoice: { ...invoice, amount: '1' } })))
    expect((await list()).data).toEqual([{ ...invoice, paid: true, statedAt: at(12).occurredAt }])
    const bare = { number: 'INV-2', amount: '10.50', currency: 'USD' }
    await send(center, eventOf(center, { ...at(13), invoice: bare }))
    expect((await list()).data.map(({ number, url }: { number: string; url: unknown }) => [number, url])).toEqual([
      ['INV-2', null],
      ['INV-1', invoice.url],
    ])
    const other = await subscriber('ACTIVE')
    const reader = await server.world.person()
    await server.world.member(reader, other)
    await server.world.member(person, other, 'INSTRUCTOR')
    const own = (await server.signIn(reader, other.domain)).accessToken
    expect((await server.call('GET', '/api/center/subscription/invoices', { token: own })).body.data).toEqual([])
    const low = (await server.signIn(person, other.domain)).accessToken
    const refused = await server.call('GET', '/api/center/subscription/invoices', { token: low })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  })

  it('tells every member what has stopped and who can lift it', async () => {
    const center = await subscriber('PAST_DUE')
    const person = await server.world.person()
    await server.world.member(person, center, 'CHILD')
    await send(center, eventOf(center, failed('SUSPENDED', { occurredAt: '2026-11-15T08:00:00.000Z' })))
    const { accessToken: token } = await server.signIn(person, center.domain)
    const { body } = await server.call('GET', '/api/center/subscription/notice', { token })
    expect(body.data).toMatchObject({
      ...{ status: 'SUSPENDED', liftedBy: ['billing_system', 'operator'], billingUrl: null },
      stopped: expect.arrayContaining(['Bookings', 'Activating members']),
    })
    await send(center, eventOf(center, {}))
    const after = await server.call('GET', '/api/center/subscription/notice', { token })
    expect(after.body.data).toMatchObject({ status: 'ACTIVE', liftedBy: [], stopped: [] })
  })

  it('has one audit entry after twenty concurrent deliveries', async () => {
    const center = await subscriber('TRIAL')
    const event = eventOf(center, {})
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(center, event)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202))
    expect(await entriesOf(center)).toHaveLength(1)
  })
})

describe('refused, with no change and no event', () => {
  const change = (event: ReturnType<typeof eventOf>, part: object) => ({
    ...event,
    data: { ...event.data, centerSubscription: { ...event.data.centerSubscription, ...part } },
  })
  const cases: [string, (center: Center) => unknown, number, string][] = [
    ['a key of somebody else', (center) => eventOf(center, {}, stranger.privateKey), 403, 'FORBIDDEN'],
    [
      'another state',
      (center) => change(eventOf(center, failed('PAST_DUE')), { status: 'SUSPENDED' }),
      403,
      'FORBIDDEN',
    ],
    [
      'another amount',
      (center) =>
        change(eventOf(center, { invoice: { number: 'a', amount: '1', currency: 'KRW' } }), {
          invoice: { number: 'a', amount: '2', currency: 'KRW' },
        }),
      403,
      'FORBIDDEN',
    ],
    [
      'an invoice beside the signature',
      (center) => change(eventOf(center, {}), { invoice: { number: 'a', amount: '2', currency: 'KRW' } }),
      403,
      'FORBIDDEN',
    ],
    [
      'a link that is no https',
      (center) =>
        eventOf(center, { invoice: { number: 'a', amount: '2', currency: 'KRW', url: 'javascript:alert(1)' } }),
      422,
      'VALIDATION_ERROR',
    ],
    ['another plan', (center) => change(eventOf(center, {}), { planId: 'center-scale' }), 403, 'FORBIDDEN'],
    [
      'another time',
      (center) => change(eventOf(center, {}), { occurredAt: '2027-01-01T00:00:00.000Z' }),
      403,
      'FORBIDDEN',
    ],
    ['another event', (center) => ({ ...eventOf(center, {}), id: 'other' }), 403, 'FORBIDDEN'],
    ['another type', (center) => ({ ...eventOf(center, {}), type: 'payment.failed' }), 403, 'FORBIDDEN'],
    ['the statement of another center', (center) => eventOf(center, { centerId: center.id + 1 }), 403, 'FORBIDDEN'],
    ['no signature', (center) => change(eventOf(center, {}), { signature: undefined }), 422, 'VALIDATION_ERROR'],
    ['a failed payment that makes it ACTIVE', (center) => eventOf(center, failed('ACTIVE')), 422, 'VALIDATION_ERROR'],
    ['an unknown plan', (center) => eventOf(center, { planId: 'lms-basic' }), 422, 'VALIDATION_ERROR'],
    ['a state that cannot follow', (center) => eventOf(center, failed('SUSPENDED')), 409, 'CONFLICT'],
  ]

  it.each(cases)('%s', async (_, make, status, code) => {
    const center = await subscriber('ACTIVE')
    const answer = await send(center, make(center))
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect(await rowOf(center)).toMatchObject({ status: 'ACTIVE', plan_id: 'center-starter' })
    expect(await entriesOf(center)).toEqual([])
    expect(await server.world.query('select from cell.webhook_event_ids where center_id = $1', [center.id])).toEqual([])
  })

  it('a center without a subscription', async () => {
    const center = await server.world.center()
    const key = await server.world.key(center, { scopes: ['events:write'] })
    const { status, body } = await send({ key }, eventOf(center, {}))
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
