/** What operators do to centers from pages, and what a partner cannot undo. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'
import { clearBroken } from '../../../../integrity/alarm.ts'
import { openPartner, subscribe } from '../../partner/test/fixture.ts'

let server: TestServer
let operator: Person
let token: string

beforeAll(async () => {
  server = await startServer()
  operator = await server.world.person({ operator: true })
  token = (await server.signIn(operator)).accessToken
})
afterAll(() => server.close())

const reason = 'Agreed by phone'
const call = (method: string, path: string, body?: object, as = token) =>
  server.call(method, `/api/admin/${path}`, { token: as, ...(body && { body }) })
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const setStatus = (id: number, status: string, as = token) =>
  call('PUT', `centers/${id}/status`, { status, reason }, as)
const entriesOf = (id: number) =>
  server.world.query<{ actor_id: string; details: object }>(
    `select actor_id, details from directory.audit_entries where center_id = $1 and type = 'center.updated' order by occurred_at, id`,
    [id],
  )

describe('a center', () => {
  it('is suspended and reinstated, says by whom, and its partner cannot lift it', async () => {
    const partner = await openPartner(server)
    const center = await partner.center()
    const admin = await server.world.person()
    await server.world.member(admin, center)
    const { accessToken: own } = await server.signIn(admin, center.domain)
    const key = await server.world.key(center)
    const suspended = await setStatus(center.id, 'SUSPENDED')
    expect(suspended.body.data).toMatchObject({ status: 'SUSPENDED', suspendedBy: 'operator' })
    const refused = await server.call('GET', '/api/center/subscription', { token: own })
    expect(codeOf(refused)).toEqual([403, 'CENTER_SUSPENDED'])
    expect(refused.body.error.details).toEqual({ reason: 'center', by: 'operator' })
    const byKey = await server.call('GET', '/api/v1/webhooks', { token: key })
    expect(byKey.body.error.message).toContain('suspended by the operator')
    const lift = await partner.call('PATCH', `/partner/centers/${center.id}`, { status: 'ACTIVE' })
    expect([...codeOf(lift), lift.body.error.details]).toEqual([403, 'FORBIDDEN', { reason: 'center', by: 'operator' }])
    expect(codeOf(await setStatus(center.id, 'SUSPENDED'))).toEqual([409, 'CONFLICT'])
    expect((await setStatus(center.id, 'ACTIVE')).body.data).toMatchObject({ status: 'ACTIVE', suspendedBy: null })
    expect((await server.call('GET', '/api/auth/me', { token: own })).status).toBe(200)
    expect(await entriesOf(center.id)).toMatchObject([
      { actor_id: operator.actorId, details: { action: 'suspend', from: 'ACTIVE', to: 'SUSPENDED', reason } },
      { actor_id: operator.actorId, details: { action: 'reinstate', reason } },
    ])
  })

  it('that its partner suspended says so, and either of the two reinstates it', async () => {
    const partner = await openPartner(server)
    const center = await partner.center()
    const path = `/partner/centers/${center.id}`
    await partner.call('PATCH', path, { status: 'SUSPENDED' })
    expect((await call('GET', `centers/${center.id}`)).body.data.suspendedBy).toBe('partner')
    expect((await partner.call('PATCH', path, { status: 'ACTIVE' })).status).toBe(200)
    await partner.call('PATCH', path, { status: 'SUSPENDED' })
    expect((await setStatus(center.id, 'ACTIVE')).status).toBe(200)
  })

  it('that its partner suspended is suspended by the operator too, once, and then stays so for the partner', async () => {
    const partner = await openPartner(server)
    const center = await partner.center()
    const path = `/partner/centers/${center.id}`
    await partner.call('PATCH', path, { status: 'SUSPENDED' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => setStatus(center.id, 'SUSPENDED')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await call('GET', `centers/${center.id}`)).body.data.suspendedBy).toBe('operator')
    expect(codeOf(await partner.call('PATCH', path, { status: 'ACTIVE' }))).toEqual([403, 'FORBIDDEN'])
    expect((await setStatus(center.id, 'ACTIVE')).status).toBe(200)
  })

  it('that is closed stays closed', async () => {
    const center = await server.world.center()
    await server.world.setCenterStatus(center, 'INACTIVE')
    expect(codeOf(await setStatus(center.id, 'ACTIVE'))).toEqual([409, 'CONFLICT'])
  })

  it('has one winner of fifty who suspend it', async () => {
    const center = await server.world.center()
    const answers = await Promise.all(Array.from({ length: 50 }, () => setStatus(center.id, 'SUSPENDED')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await entriesOf(center.id)).toHaveLength(1)
  })
})

describe('a subscription', () => {
  const patch = (id: number, body: object, as = token) => call('PATCH', `centers/${id}/subscription`, body, as)

  it('comes back after a suspension and after its end, and changes its plan', async () => {
    const center = await server.world.center()
    await subscribe(server, center, 'center-starter', 'SUSPENDED')
    await server.world.query('update directory.subscriptions set seat_limit = 20 where center_id = $1', [center.id])
    const back = await patch(center.id, { status: 'ACTIVE', reason })
    expect(back.body.data.subscription).toMatchObject({ status: 'ACTIVE', planId: 'center-starter', seatLimit: 20 })
    await patch(center.id, { status: 'CANCELED', reason })
    await server.world.query(`update directory.subscriptions set current_period_end = now() - interval '1 day'`)
    const again = await patch(center.id, { status: 'ACTIVE', planId: 'center-growth', reason })
    const { subscription } = again.body.data
    expect(subscription).toMatchObject({ status: 'ACTIVE', planId: 'center-growth', seatLimit: 100 })
    expect(Date.parse(subscription.currentPeriodEnd)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect((await entriesOf(center.id)).map(({ details }) => details)).toMatchObject([
      { move: 'activate', from: 'SUSPENDED', to: 'ACTIVE', reason },
      { move: 'cancel' },
      { move: 'activate', from: 'CANCELED', fromPlan: 'center-starter', toPlan: 'center-growth' },
    ])
  })

  it('is refused a move that does not exist, no change, and a plan with too few seats', async () => {
    const center = await server.world.center()
    expect(codeOf(await patch(center.id, { status: 'ACTIVE', reason }))).toEqual([404, 'NOT_FOUND'])
    await subscribe(server, center, 'center-growth', 'ACTIVE')
    await server.world.query('update directory.subscriptions set seat_used = 21 where center_id = $1', [center.id])
    for (const body of [{ status: 'TRIAL' }, { status: 'ACTIVE' }, {}, { planId: 'center-starter' }]) {
      expect(codeOf(await patch(center.id, { ...body, reason }))).toEqual([409, 'CONFLICT'])
    }
    expect(codeOf(await patch(center.id, { planId: 'nowhere', reason }))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('an alarm', () => {
  async function broken() {
    const center = await server.world.center()
    await server.world.query(`insert into cell.chain_heads (center_id, domain, broken_at) values ($1, 'proof', 0)`, [
      center.id,
    ])
    return center
  }
  const acknowledge = (id: number, note = 'Comparing with the backup') =>
    call('POST', `alarms/${id}/proof/acknowledge`, { note })

  it('is acknowledged by one of fifty, shows who, and stays until it is cleared', async () => {
    const center = await broken()
    const answers = await Promise.all(Array.from({ length: 50 }, () => acknowledge(center.id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    const { body } = await call('GET', `alarms/${center.id}/proof`)
    expect(body.data.acknowledged).toMatchObject({ note: 'Comparing with the backup', name: expect.any(String) })
    const { cells } = (await call('GET', 'overview')).body.data
    const listed = cells[0].alarms.find(({ centerId }: { centerId: number }) => centerId === center.id)
    expect(listed.acknowledged).toEqual(body.data.acknowledged)
    await server.services.cells.of('main').inTenantJob(center.id, 'test', (tx) => clearBroken(tx, 'proof'))
    await server.world.query('update cell.chain_heads set broken_at = 0 where center_id = $1', [center.id])
    expect((await call('GET', `alarms/${center.id}/proof`)).body.data.acknowledged).toBeNull()
  })

  it('that does not stand is refused', async () => {
    const center = await server.world.center()
    expect(codeOf(await acknowledge(center.id))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await acknowledge((await broken()).id, ' '))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

it('refuses everybody but operators, unknown centers, and bodies without a reason', async () => {
  const center = await server.world.center()
  const admin = await server.world.person()
  await server.world.member(admin, center)
  const { accessToken } = await server.signIn(admin, center.domain)
  expect(codeOf(await setStatus(center.id, 'SUSPENDED', accessToken))).toEqual([403, 'FORBIDDEN'])
  expect(codeOf(await server.call('GET', `/api/admin/centers/${center.id}`))).toEqual([401, 'UNAUTHORIZED'])
  expect(codeOf(await setStatus(2_000_000_000, 'SUSPENDED'))).toEqual([404, 'CENTER_NOT_FOUND'])
  expect(codeOf(await call('GET', 'centers/2000000000'))).toEqual([404, 'CENTER_NOT_FOUND'])
  expect(codeOf(await call('PUT', `centers/${center.id}/status`, { status: 'SUSPENDED' }))).toEqual([
    400,
    'MISSING_REQUIRED_FIELD',
  ])
  expect(codeOf(await setStatus(center.id, 'INACTIVE'))).toEqual([400, 'VALIDATION_ERROR'])
})
