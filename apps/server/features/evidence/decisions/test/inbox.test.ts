import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Office, openOffice } from './fixture.ts'

let server: TestServer
let office: Office

beforeAll(async () => {
  server = await startServer()
  office = await openOffice(server)
})
afterAll(() => server.close())

const get = async (path: string, token = office.admin.token) => {
  const answer = await server.call('GET', path, { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const post = (path: string, body: object) => server.call('POST', path, { token: office.admin.token, body })

const refund = (riskScore?: number) =>
  office.record({
    action: { type: 'refund.issue', description: 'x'.repeat(600), input: { amount: 820_000 } },
    ...(riskScore !== undefined && { riskScore }),
  })

describe('console.listInbox', () => {
  it('lists what waits by risk or by expiry, without a risk first, and counts it', async () => {
    await office.policy({ approval: { expiresAfterSeconds: 1800 } })
    await office.policy({
      name: 'Refunds',
      match: { actionTypes: ['refund.*'] },
      approval: { expiresAfterSeconds: 7200 },
    })
    const low = (await refund(0.1)).id
    const high = (await refund(0.9)).id
    const unknown = (await refund()).id
    const plan = (await office.record({ riskScore: 0.5 })).id
    const colleague = await office.join('INSTRUCTOR')
    await server.call('POST', `/api/decisions/${high}/opened`, { token: office.admin.token })
    await server.call('POST', `/api/decisions/${high}/comments`, { token: colleague.token, body: { text: 'Why?' } })

    const byRisk = await get('/api/console/inbox')
    expect(byRisk.data.map(({ eventId }: { eventId: string }) => eventId)).toEqual([unknown, high, plan, low])
    expect(byRisk.counts).toEqual({
      ...{ waiting: 4, expiringWithinHour: 1, unopened: 3, withoutRisk: 1 },
      ...{ turn: 4, soon: 0, confirm: 0, informed: 0, asked: 0 },
    })
    expect(byRisk.pagination).toMatchObject({ total: 4, hasMore: false })
    const [, shown] = byRisk.data
    expect(shown).toMatchObject({ riskScore: 0.9, reasons: ['humanReview'], approvals: 0, comments: 1 })
    expect(shown.action).toEqual({ type: 'refund.issue', description: 'x'.repeat(500) })
    expect(shown.openedAt).not.toBeNull()
    // Opened without its digest.
    expect(shown.opened).toBe(false)
    const { actionDigest } = await get(`/api/decisions/${high}`).then(({ data }) => data)
    const { token } = office.admin
    await server.call('POST', `/api/decisions/${high}/opened`, { token, body: { actionDigest } })
    expect((await get('/api/console/inbox')).data[1].opened).toBe(true)

    const byExpiry = await get('/api/console/inbox?sort=expiry&limit=1', colleague.token)
    expect(byExpiry.data.map(({ eventId }: { eventId: string }) => eventId)).toEqual([plan])
    expect(byExpiry.counts.unopened).toBe(4)
    const others = await get('/api/console/inbox?sort=expiry&limit=1&page=2', colleague.token)
    expect(others.data[0]).toMatchObject({ eventId: low, openedByOthers: 0 })
    for (const query of ['sort=age', 'risk=1', 'limit=101']) {
      const { status, body } = await server.call('GET', `/api/console/inbox?${query}`, { token: office.admin.token })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('the headline of an item', () => {
  it('is made of its values or by the template of its type, and never of its description', async () => {
    const own = await openOffice(server)
    await own.policy({
      name: 'Payouts',
      match: { actionTypes: ['payout.*'], when: [{ pointer: '/action/input/deep/won', op: 'gt', value: 5 }] },
    })
    const sent = { description: 'Pay 5', input: { note: 'n', deep: { won: 820_000 }, filler: 'x' } }
    await own.record({ action: { type: 'payout.make', ...sent } })
    await own.record({ action: { type: 'payout.make', ...sent, input: { ...sent.input, filler: 'x'.repeat(3000) } } })
    const listed = await get('/api/console/inbox?sort=expiry', own.admin.token)
    expect(listed.data.map(({ headline }: { headline: object }) => headline)).toEqual([
      { ko: 'payout.make: Deep › Won 820,000, Note n', en: 'payout.make: Deep › Won 820,000, Note n' },
      { ko: 'payout.make', en: 'payout.make' },
    ])
  })
})

describe('console.dryRunPolicy', () => {
  const path = '/api/console/policies/dry-run'
  const overAMillion = {
    name: 'Large refunds',
    match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 1_000_000 }] },
    guards: { humanReview: true },
  }

  it('judges the recorded decisions with the policy added, changed and withdrawn, and saves nothing', async () => {
    const own = await openOffice(server)
    const run = (body: object) => server.call('POST', path, { token: own.admin.token, body })
    const small = await own.record({ action: { type: 'refund.issue', input: { amount: 5000 } } })
    const large = await own.record({ action: { type: 'refund.issue', input: { amount: 2_000_000 } } })
    const plan = await own.record()
    const added = (await run({ policy: overAMillion })).body.data
    expect(added).toMatchObject({
      decisions: 3,
      matched: 1,
      before: { completed: 3, approval_required: 0, refused: 0 },
      after: { completed: 2, approval_required: 1, refused: 0 },
      changed: [{ eventId: large.id, actionType: 'refund.issue', before: 'completed', after: 'approval_required' }],
    })
    const { id: policyId } = await own.policy()
    const changed = (await run({ policyId, policy: overAMillion })).body.data
    expect(changed.changed.map(({ eventId }: { eventId: string }) => eventId)).toEqual([plan.id, large.id])
    const withdrawn = (await run({ policyId, withdraw: true })).body.data
    expect(withdrawn).toMatchObject({ matched: 1, after: { completed: 3 }, changed: [{ eventId: plan.id }] })
    expect(changed.changed).not.toContainEqual(expect.objectContaining({ eventId: small.id }))
    expect((await get('/api/policies', own.admin.token)).data).toHaveLength(1)
  })

  it.each([
    ['neither policy nor withdrawal', {}, 400, 'VALIDATION_ERROR'],
    ['both', { policy: overAMillion, withdraw: true, policyId: 'pol_x' }, 400, 'VALIDATION_ERROR'],
    [
      'conditions without types',
      { policy: { ...overAMillion, match: { when: overAMillion.match.when } } },
      400,
      'VALIDATION_ERROR',
    ],
    ['a policy that does not exist', { policyId: 'pol_x', withdraw: true }, 404, 'NOT_FOUND'],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await post(path, body)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })
})

describe('console.getTrace', () => {
  it('leads from a request to the decision, its entries and its deliveries, without addresses for an INSTRUCTOR', async () => {
    const own = await openOffice(server)
    const instructor = await own.join('INSTRUCTOR')
    const registration = { url: 'https://hooks.example.org/x', events: ['*'] }
    await server.call('POST', '/api/webhooks', { token: own.admin.token, body: registration })
    await own.policy()
    const { id } = await own.record()
    const approval = await own.decide(own.admin, id)
    const requestId = approval.headers.get('x-request-id') as string
    const { data } = await get(`/api/console/trace/${id}`, own.admin.token)
    expect(data).toMatchObject({ eventId: id, status: 'sealed', recordedBy: expect.stringMatching(/^key_/) })
    expect(data.requests).toContainEqual(expect.objectContaining({ requestId, actorId: own.admin.id }))
    expect(data.entries).toMatchObject([{ domain: 'proof', index: 0, type: null }])
    const types = data.deliveries.map(({ eventType }: { eventType: string }) => eventType)
    expect(types).toEqual(expect.arrayContaining(['agent.approval.requested', 'dpu.sealed']))
    expect(data.deliveries[0]).toMatchObject({ url: registration.url, state: 'pending', attempts: 0 })
    const byRequest = await get(`/api/console/trace/${requestId}`, instructor.token)
    expect(byRequest.data).toEqual({
      ...data,
      deliveries: data.deliveries.map((each: object) => ({ ...each, url: '' })),
    })
    for (const unknown of ['req_01kz9x4q8hfx5r3v7t2b6n0m1c', 'x']) {
      const answer = await server.call('GET', `/api/console/trace/${unknown}`, { token: own.admin.token })
      expect(answer.status).toBe(404)
    }
    expect((await server.call('GET', `/api/console/trace/${id}`, { token: office.admin.token })).status).toBe(404)
  })
})
