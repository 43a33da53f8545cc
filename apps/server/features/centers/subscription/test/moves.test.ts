import { type SubscriptionStatus, subscriptionStatuses } from '@countersign/contract/enums.ts'
import { moveBetween, subscriptionMoves } from '@countersign/contract/moves.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { type OperatorShell, openOperatorShell } from '../../../../data/operator.ts'
import { typedId } from '../../../../lib/ids.ts'
import { changePlan, moveSubscription } from '../api.ts'

let server: TestServer
let shell: OperatorShell

beforeAll(async () => {
  server = await startServer()
  shell = openOperatorShell(server.services.config, server.services.log)
})
afterAll(async () => {
  await shell.close()
  await server.close()
})

const operator = { requestId: 'operator', actorId: 'operator', centerId: 0 }
const move = (center: Center, to: SubscriptionStatus) =>
  shell.asOperator(operator, (tx) => moveSubscription(tx, center.id, to))

async function subscriber(status: SubscriptionStatus): Promise<Center> {
  const center = await server.world.center()
  await server.world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', $2, 'MONTHLY', now() + interval '30 days', 20)`,
    [center.id, status],
  )
  return center
}

const statusOf = async (center: Center) =>
  (
    await server.world.query<{ status: string }>('select status from directory.subscriptions where center_id = $1', [
      center.id,
    ])
  )[0]?.status
const entriesOf = (center: Center) =>
  server.world.query<{ details: object; actor_id: string }>(
    `select details, actor_id from directory.audit_entries where type = 'center.updated' and center_id = $1`,
    [center.id],
  )

/** What its administrators are told of. */
const causesOf = async (center: Center) =>
  (
    await server.world.query<{ event: string }>(
      'select event from directory.message_causes where center_id = $1',
      [center.id],
      true,
    )
  ).map(({ event }) => event)

const pairs = subscriptionStatuses.flatMap((from) => subscriptionStatuses.map((to) => ({ from, to })))

describe('every state from every state', () => {
  it('follows the rule of the table', () => {
    const allowed = pairs.filter(({ from, to }) => moveBetween(subscriptionMoves, from, to))
    expect(allowed.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual([
      'ACTIVE CANCELED',
      'ACTIVE PAST_DUE',
      'CANCELED ACTIVE',
      'PAST_DUE ACTIVE',
      'PAST_DUE CANCELED',
      'PAST_DUE SUSPENDED',
      'SUSPENDED ACTIVE',
      'SUSPENDED CANCELED',
      'TRIAL ACTIVE',
      'TRIAL CANCELED',
      'TRIAL PAST_DUE',
    ])
  })

  it.each(pairs)('$from to $to', async ({ from, to }) => {
    const center = await subscriber(from)
    const name = moveBetween(subscriptionMoves, from, to)
    if (name) {
      expect(await move(center, to)).toBe(from)
      expect(await statusOf(center)).toBe(to)
      const entry = { actor_id: 'operator', details: { action: 'subscription', move: name, from, to } }
      expect(await entriesOf(center)).toEqual([entry])
      await expect(move(center, to)).rejects.toMatchObject({ code: 'CONFLICT' })
      expect(await entriesOf(center)).toHaveLength(1)
    } else {
      await expect(move(center, to)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(`A subscription with the status ${from} can't be changed to ${to}`),
      })
      expect(await statusOf(center)).toBe(from)
      expect(await entriesOf(center)).toEqual([])
    }
  })

  it.each([
    ['TRIAL', 'PAST_DUE', ['pastDue']],
    ['PAST_DUE', 'SUSPENDED', ['suspended']],
    ['TRIAL', 'CANCELED', ['canceled']],
    ['SUSPENDED', 'CANCELED', ['canceled']],
    ['SUSPENDED', 'ACTIVE', ['reactivated']],
    ['CANCELED', 'ACTIVE', ['reactivated']],
    ['PAST_DUE', 'ACTIVE', []],
    ['TRIAL', 'ACTIVE', []],
  ] as const)('%s to %s tells administrators: %j', async (from, to, events) => {
    const center = await subscriber(from)
    await move(center, to)
    expect(await causesOf(center)).toEqual(events)
  })

  it('is refused for a center without a subscription', async () => {
    const center = await server.world.center()
    await expect(move(center, 'ACTIVE')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await entriesOf(center)).toEqual([])
  })

  it('has one winner and one audit entry among twenty concurrent requests', async () => {
    const center = await subscriber('ACTIVE')
    const shells = Array.from({ length: 20 }, () => openOperatorShell(server.services.config, server.services.log))
    const outcomes = await Promise.allSettled(
      shells.map((own) => own.asOperator(operator, (tx) => moveSubscription(tx, center.id, 'PAST_DUE'))),
    )
    await Promise.all(shells.map((own) => own.close()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await entriesOf(center)).toHaveLength(1)
  })
})

describe('another plan', () => {
  const change = (center: Center, plan: string) => shell.asOperator(operator, (tx) => changePlan(tx, center.id, plan))
  const planOf = async (center: Center) =>
    (
      await server.world.query(
        'select plan_id, billing_cycle, seat_limit from directory.subscriptions where center_id = $1',
        [center.id],
      )
    )[0]

  it('brings its seats and its cycle, with one audit entry', async () => {
    const center = await subscriber('PAST_DUE')
    expect(await change(center, 'center-scale')).toBe('center-starter')
    expect(await planOf(center)).toEqual({ plan_id: 'center-scale', billing_cycle: 'YEARLY', seat_limit: 1000 })
    const plans = { fromPlan: 'center-starter', toPlan: 'center-scale' }
    expect((await entriesOf(center)).map(({ details }) => details)).toEqual([
      { action: 'subscription', move: 'renew', from: 'PAST_DUE', to: 'PAST_DUE', ...plans },
    ])
  })

  it('is refused with fewer seats than are used, and for a canceled subscription', async () => {
    const center = await subscriber('ACTIVE')
    await change(center, 'center-growth')
    await server.world.query('update directory.subscriptions set seat_used = 21 where center_id = $1', [center.id])
    await expect(change(center, 'center-starter')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(change(await subscriber('CANCELED'), 'center-scale')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(change(center, 'lms-basic')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(await planOf(center)).toMatchObject({ plan_id: 'center-growth' })
  })
})

describe('the answer of subscription.get matches what a state allows', () => {
  /** From TRIAL, by allowed moves only. */
  const ways: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
    TRIAL: [],
    ACTIVE: ['ACTIVE'],
    PAST_DUE: ['ACTIVE', 'PAST_DUE'],
    SUSPENDED: ['ACTIVE', 'PAST_DUE', 'SUSPENDED'],
    CANCELED: ['CANCELED'],
  }

  it.each(subscriptionStatuses)('%s', async (state) => {
    const center = await subscriber('TRIAL')
    const admin = await server.world.person()
    await server.world.member(admin, center)
    const token = (await server.signIn(admin, center.domain)).accessToken
    const newcomer = await server.world.person()
    await server.world.member(newcomer, center, 'INSTRUCTOR', 'PENDING')
    for (const to of ways[state]) await move(center, to)

    const answer = await server.call('GET', '/api/center/subscription', { token })
    expect([answer.status, answer.body.data.status]).toEqual([200, state])
    const { works, stopped } = answer.body.data.standing as { works: string[]; stopped: string[] }
    const over = state === 'SUSPENDED' || state === 'CANCELED'
    expect(stopped).toEqual(over ? ['Activating members', 'Bookings', 'Attendance', 'Families', 'Custom domain'] : [])
    expect(works.filter((what) => stopped.includes(what))).toEqual([])

    expect(works).toContain('Signing in')
    const again = await server.call('GET', '/api/auth/me', { token })
    expect(again.status).toBe(200)

    expect(works).toEqual(
      expect.arrayContaining(['Recording and sealing decisions', 'Reading and exporting decisions']),
    )
    const key = await server.world.key(center)
    const recorded = await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent() })
    expect(recorded.status).toBe(201)
    const listed = await server.call('GET', '/api/v1/decision-events', { token: key })
    expect([listed.status, listed.body.pagination.total]).toEqual([200, 1])

    const [row] = await server.world.query<{ id: string }>('select id from directory.memberships where actor_id = $1', [
      newcomer.actorId,
    ])
    const approved = await server.call('POST', `/api/memberships/${typedId('membership', row?.id ?? '')}/approve`, {
      token,
    })
    expect(approved.status).toBe(works.includes('Activating members') ? 200 : 409)
  })
})
