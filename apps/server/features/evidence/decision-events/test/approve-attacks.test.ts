/** One key or one person tries to satisfy guards that ask for another: each way is refused, and the event stays as it was. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer
let fixture: ProofFixture
/** A key with every scope, which records and approves, and two that only approve. */
let both: string
let first: string
let second: string
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
  const key = (scopes: string[]) => server.world.key(fixture.center, { scopes })
  both = await key(['proof:write', 'proof:approve'])
  first = await key(['proof:approve'])
  second = await key(['proof:approve'])
})
afterAll(() => server.close())

const post = (token: string, path: string, body: unknown) => server.call('POST', path, { token, body })
const record = async (overrides: object = {}, token = both) =>
  (await post(token, '/api/v1/decision-events', sampleEvent({ riskScore: 0.99, ...overrides }))).body.data.id as string
const approveAs = (token: string, eventId: string, id: string, type = 'human') =>
  post(token, `/api/v1/decision-events/${eventId}/approvals`, { approver: { id, type }, result: 'approved' })
const stateOf = async (eventId: string) =>
  (await server.call('GET', `/api/v1/decision-events/${eventId}`, { token: both })).body.data
const refusedWith = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details?.guard]

const claim = { approval: { identity: 'claim' } }
const session = { approval: { identity: 'session' } }
const everyGuard: [string, Record<string, unknown>][] = [
  ['humanReview', { humanReview: true }],
  ['riskThreshold', { riskThreshold: 0.3 }],
  ['dualApproval', { dualApproval: true }],
  ['minimumEvidenceLevel', { minimumEvidenceLevel: 'AUDIT_READY' }],
]

describe.each(everyGuard)('under %s', (guard, guards) => {
  it.each<[string, Record<string, unknown>, string, string, () => string]>([
    ['a system that the deciding key names', session, 'agent-7', 'system', () => both],
    ['a person whom the deciding key names', session, 'alice', 'human', () => both],
    ['a person whom another key names', session, 'alice', 'human', () => first],
    ['a person whom the deciding key names, where claims count', claim, 'alice', 'human', () => both],
    ['a person whom a key without the scope names', claim, 'alice', 'human', () => fixture.key],
    ['a system that another key names', claim, 'robot', 'system', () => first],
    ['the agent itself in other letters', claim, 'Agent-7', 'human', () => first],
    ['the agent itself with an invisible character', claim, 'agent-7\u200b', 'human', () => first],
  ])('%s is refused', async (_, approval, id, type, token) => {
    await fixture.policy(guards, approval)
    const eventId = await record()
    const answer = await approveAs(token(), eventId, id, type)
    expect(refusedWith(answer)).toEqual([422, 'POLICY_VIOLATION', guard])
    if (approval === session) expect(answer.body.error.details.identity).toBe('session')
    expect(await stateOf(eventId)).toMatchObject({ status: 'recorded', approvals: [] })
  })

  it('a decision of decide that waits is not completed by its own key', async () => {
    await fixture.policy(guards, session)
    const { body } = await fixture.decide({ riskScore: 0.99 })
    expect(body.data.outcome).toBe('approval_required')
    const answer = await approveAs(fixture.key, body.data.eventId, 'agent-7', 'system')
    expect(refusedWith(answer)).toEqual([422, 'POLICY_VIOLATION', guard])
  })

  it('a refusal by a key is accepted where its approval could be, and nowhere else', async () => {
    const refusal = { approver: { id: 'robot', type: 'system' }, result: 'rejected' }
    const asked = await fixture.policy(guards, session)
    const held = await record()
    expect((await post(both, `/api/v1/decision-events/${held}/approvals`, refusal)).status).toBe(422)
    expect((await stateOf(held)).status).toBe('recorded')
    expect((await fixture.approveAsMember(held, { result: 'rejected' })).status).toBe(200)
    await fixture.platform('DELETE', `/api/policies/${asked.id}`)
    await fixture.policy(guards)
    const eventId = await record()
    const { status } = await post(second, `/api/v1/decision-events/${eventId}/approvals`, refusal)
    expect([status, (await stateOf(eventId)).status]).toEqual([200, 'rejected'])
  })
})

describe('two approvals', () => {
  it.each<[string, string, () => string]>([
    ['one key with two names', 'bob', () => first],
    ['one name with an invisible character', 'alice\u200b', () => second],
    ['one name in capitals', 'ALICE', () => second],
  ])('409 for %s', async (_, id, token) => {
    await fixture.policy({ dualApproval: true }, claim)
    const eventId = await record()
    expect((await approveAs(first, eventId, 'alice')).body.data.sealedHash).toBeNull()
    expect(refusedWith(await approveAs(token(), eventId, id))).toEqual([409, 'CONFLICT', undefined])
    expect((await stateOf(eventId)).status).toBe('approved')
    expect((await approveAs(second, eventId, 'bob')).body.data.sealedHash).toMatch(/^sha256:/)
  })

  it('409 for two accounts of one person, and sealed with a second person', async () => {
    const relative = await server.world.person({ email: fixture.admin.email, login: false })
    const phone = `+8210${String(Date.now()).slice(-8)}`
    await server.world.query(
      'update directory.actors set phone = $2, phone_verified_at = now() where id = any ($1::uuid[])',
      [[relative.actorId, fixture.instructor.actorId], phone],
    )
    // The administrator and the relative share an email, the relative and the instructor a phone: one hop only.
    await fixture.policy({ dualApproval: true }, session)
    const eventId = await record()
    expect((await fixture.approveAsMember(eventId)).body.data.sealedHash).toBeNull()
    await server.world.query('update directory.actors set email = $2 where id = $1', [
      fixture.instructor.actorId,
      fixture.admin.email,
    ])
    const asInstructor = () => fixture.approveAsMember(eventId, {}, fixture.instructorToken)
    expect(refusedWith(await asInstructor())).toEqual([409, 'CONFLICT', undefined])
    await server.world.query('update directory.actors set email = $2 where id = $1', [
      fixture.instructor.actorId,
      `own-${fixture.instructor.email}`,
    ])
    expect((await asInstructor()).body.data.sealedHash).toMatch(/^sha256:/)
    const { approvals } = await stateOf(eventId)
    expect(approvals).toMatchObject([
      { identity: { level: 'session', by: fixture.admin.actorId } },
      { identity: { level: 'session', by: fixture.instructor.actorId } },
    ])
  })

  it('422 for a key after a member', async () => {
    await fixture.policy({ dualApproval: true }, claim)
    const eventId = await record()
    await fixture.approveAsMember(eventId)
    const answer = await approveAs(first, eventId, 'alice')
    expect(refusedWith(answer)).toEqual([422, 'POLICY_VIOLATION', 'dualApproval'])
    expect(answer.body.error.details.identity).toBe('session')
  })
})

it('an approval is judged by the policies of its moment, not of the moment of recording', async () => {
  const policy = await fixture.policy({ humanReview: true }, claim)
  const eventId = await record()
  await fixture.platform('PATCH', `/api/policies/${policy.id}`, session)
  expect(refusedWith(await approveAs(first, eventId, 'alice'))).toEqual([422, 'POLICY_VIOLATION', 'humanReview'])
  expect((await fixture.approveAsMember(eventId)).status).toBe(200)
})

it.each([
  ['an amount that is left out', { client: 'c-1' }, 'approval_required'],
  ['an amount as text', { amount: '1' }, 'approval_required'],
  ['a large amount', { amount: 1001 }, 'approval_required'],
  ['a small amount', { amount: 1000 }, 'completed'],
])('a condition on an amount, with %s: %s', async (_, input, outcome) => {
  const when = [{ pointer: '/action/input/amount', op: 'gt', value: 1000 }]
  await fixture.policy({ humanReview: true }, { match: { actionTypes: ['refund.*'], when } })
  const { body } = await fixture.decide({ action: { type: 'refund.pay', description: 'Refund', input } })
  expect(body.data.outcome).toBe(outcome)
})

it.each(['countersign', 'pol_01m7gkp4mde1w9bsnq62ae8sp7'])(
  '422 for the approver id %s, in a refusal too',
  async (id) => {
    const eventId = await record()
    for (const result of ['approved', 'rejected']) {
      const path = `/api/v1/decision-events/${eventId}/approvals`
      const { status, body } = await post(both, path, { approver: { id, type: 'human' }, result })
      expect([status, body.error.code, body.error.details.issues?.[0]?.path]).toEqual([
        422,
        'VALIDATION_ERROR',
        'approver.id',
      ])
    }
  },
)

it('422 for an approver of the type service', async () => {
  const { status, body } = await approveAs(both, await record(), 'robot', 'service')
  expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
})

it('where no policy asks, the key that recorded the decision approves it, and the seal says claim', async () => {
  await fixture.policy({ riskThreshold: 0.99 }, session)
  const eventId = await record()
  expect((await approveAs(both, eventId, 'agent-7', 'system')).status).toBe(200)
  expect((await stateOf(eventId)).approvals).toMatchObject([{ identity: { level: 'claim' } }])
})

it('a recorded risk and reason are answered, sealed and judged', async () => {
  await fixture.policy({ riskThreshold: 0.5, minimumEvidenceLevel: 'DOCUMENTED' }, session)
  const reason = 'Progress slowed.'
  const path = '/api/v1/decision-events'
  const { body } = await post(both, path, sampleEvent({ riskScore: 0.5, reason, aiContext: { model: 'planner-3' } }))
  expect(body.data).toMatchObject({ riskScore: 0.5, reason })
  expect((await approveAs(both, body.data.id, 'kim')).status).toBe(200)
  const evidence = await server.call('GET', `/api/v1/evidence/${body.data.evidence.id}`, { token: both })
  expect(evidence.body.data.event).toMatchObject({ riskScore: 0.5, reason })
  const wrong = await post(both, path, sampleEvent({ riskScore: 1.1 }))
  expect([wrong.status, wrong.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
})

it('raising a decision is judged by the facts of the decision', async () => {
  const { body } = await fixture.decide({ riskScore: 0.5 })
  const dpuId = body.data.dpu.id as string
  const match = { actionTypes: ['stock.*'], when: [{ pointer: '/riskScore', op: 'gt', value: 0.4 }] }
  const policy = await fixture.policy({ humanReview: true }, { match, approval: { identity: 'passkey' } })
  const refused = await fixture.raise(dpuId, 'AUDIT_READY')
  expect(refused.body.error).toMatchObject({ code: 'POLICY_VIOLATION', message: expect.stringContaining('passkey') })
  await fixture.platform('PATCH', `/api/policies/${policy.id}`, {
    approval: { actorIds: [fixture.instructor.actorId] },
  })
  expect((await fixture.raise(dpuId, 'AUDIT_READY')).status).toBe(422)
  await fixture.platform('PATCH', `/api/policies/${policy.id}`, { approval: { actorIds: [fixture.admin.actorId] } })
  expect((await fixture.raise(dpuId, 'AUDIT_READY')).status).toBe(200)
})
