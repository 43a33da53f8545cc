import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approvalRequest } from '../../../../../../tests/support/approval-requests.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { waitingDecisionsJob } from '../../decisions/waiting-decisions.job.ts'

const path = '/api/v1/approval-requests'
let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const person = { match: { actionTypes: ['tool.invoke'] }, approval: { identity: 'session' } }
const held = () => fixture.policy({ humanReview: true }, person)
const ask = (request: object, token = fixture.key) => server.call('POST', path, { token, body: request })
const refusal = async (request: object, token?: string) => {
  const { status, body } = await ask(request, token)
  return [status, body.error?.code, body.error?.details?.reason]
}
const recordedOnes = async () => (await fixture.v1('GET', '/api/v1/decision-events')).body.pagination.total
const runWaitingJob = () => waitingDecisionsJob(server.services, 'main', { centerId: fixture.center.id })
const executionOf = async (eventId: string) =>
  (await fixture.v1('GET', `/api/v1/decision-events/${eventId}`)).body.data.execution

async function approvedRequest() {
  await held()
  const request = approvalRequest()
  const { body } = await ask(request)
  expect((await fixture.approveAsMember(body.event_id)).status).toBe(200)
  return { request, eventId: body.event_id as string }
}

describe('202', () => {
  it('while nobody has decided, with nothing that could be taken for an answer', async () => {
    await held()
    const request = approvalRequest()
    const { status, body } = await ask(request)
    expect(status).toBe(202)
    expect(body).toEqual({
      schema_version: '1.0',
      type: 'approval_response',
      approval_request_id: request.approval_request_id,
      action_digest: request.action_digest,
      event_id: expect.stringMatching(/^evt_/),
      status: 'pending',
      approval_url: `http://countersign.test/approve/${body.event_id}`,
    })
    expect((await ask(request)).body).toEqual(body)
    expect(await recordedOnes()).toBe(1)
  })

  it('shows the person everything that the digests cover', async () => {
    await held()
    const request = approvalRequest()
    const { body } = await ask(request)
    const { action, actor, decisionId, waiting } = (await fixture.v1('GET', `/api/v1/decision-events/${body.event_id}`))
      .body.data
    expect(decisionId).toBe(request.approval_request_id)
    expect(actor).toEqual({ id: 'agent-7', type: 'ai_agent' })
    expect(action.type).toBe('tool.invoke')
    const { schema_version, type, input_digest, agent_id, operation, subject_id, binding, ...shown } = request
    expect(action.input).toEqual({ ...shown, target: binding.target, parameters: binding.parameters })
    expect(waiting.expiresAt).toBe(new Date(request.expires_at).toISOString())
  })

  it('between two approvals', async () => {
    await fixture.policy({ dualApproval: true }, person)
    const request = approvalRequest()
    const { body } = await ask(request)
    await fixture.approveAsMember(body.event_id)
    expect((await ask(request)).status).toBe(202)
    await fixture.approveAsMember(body.event_id, {}, fixture.instructorToken)
    expect((await ask(request)).body).toMatchObject({ approved: true, approver: fixture.instructor.actorId })
  })

  it('is one decision for twenty requests at once', async () => {
    await held()
    const request = approvalRequest()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(request)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await recordedOnes()).toBe(1)
  })
})

describe('200', () => {
  it('after an approval, with a proof that holds under the trust policy', async () => {
    const { request, eventId } = await approvedRequest()
    const { status, body } = await ask(request)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      approval_request_id: request.approval_request_id,
      action_digest: request.action_digest,
      event_id: eventId,
      status: 'approved',
      approved: true,
      approver: fixture.admin.actorId,
      reason: '',
      usable_until: expect.stringMatching(/Z$/),
    })
    const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
    const verdict = verifyProof(body.proof, parsePolicy(policy))
    expect([verdict.ok, verdict.standing]).toEqual([true, 'holds'])
    expect(verdict.facts).toMatchObject({
      decisionId: request.approval_request_id,
      decision: { result: 'approved' },
      execution: { outcome: null },
    })
    expect(body.proof.evidence.history).toMatchObject([{ action: 'consumed', executor: request.approval_request_id }])
  })

  it('consumes the approval once, in the name of the request, however often it is sent', async () => {
    const { request, eventId } = await approvedRequest()
    expect(await executionOf(eventId)).toBeNull()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(request)))
    expect(answers.map(({ body }) => body.approved)).toEqual(Array(10).fill(true))
    expect(await executionOf(eventId)).toMatchObject({ executor: request.approval_request_id, outcome: null })
    const { history } = (await ask(request)).body.proof.evidence
    expect(history).toMatchObject([{ type: 'execution', action: 'consumed', executor: request.approval_request_id }])
  })

  it('after a refusal, which is sealed with its reason', async () => {
    await held()
    const request = approvalRequest()
    const { body: pending } = await ask(request)
    await fixture.approveAsMember(pending.event_id, { result: 'rejected', reason: 'The account is closed.' })
    const { status, body } = await ask(request)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'refused',
      approved: false,
      approver: fixture.admin.actorId,
      reason: 'The account is closed.',
      usable_until: null,
      proof: { evidence: { approval: { result: 'rejected' } } },
    })
    expect(await executionOf(pending.event_id)).toBeNull()
  })

  it('after a withdrawal', async () => {
    await held()
    const request = approvalRequest()
    const { body: pending } = await ask(request)
    await fixture.v1('POST', `/api/v1/decision-events/${pending.event_id}/withdraw`, {})
    expect((await ask(request)).body).toMatchObject({ status: 'withdrawn', approved: false, approver: 'countersign' })
  })

  it('for a policy that forbids the action, at the first request and later', async () => {
    await fixture.policy({ humanReview: true, minimumEvidenceLevel: 'DOCUMENTED' }, person)
    const request = approvalRequest()
    const first = await ask(request)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ status: 'refused', approved: false, approver: expect.stringMatching(/^pol_/) })
    expect((await ask(request)).body).toMatchObject({ status: 'refused', approved: false })
  })
})

describe('the time until which the gateway accepts an answer', () => {
  afterEach(() => void useClock(Date.now))
  const later = () => useClock(() => Date.now() + 301_000)

  it('ends the waiting: nobody can approve afterwards, and the expiry is sealed', async () => {
    await held()
    const request = approvalRequest()
    const { body: pending } = await ask(request)
    later()
    const late = await fixture.approveAsMember(pending.event_id)
    expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('has expired')])
    await runWaitingJob()
    expect((await ask(request)).body).toMatchObject({ status: 'expired', approved: false, approver: 'countersign' })
  })

  it('ends what was approved before', async () => {
    const { request, eventId } = await approvedRequest()
    later()
    expect(await refusal(request)).toEqual([409, 'CONFLICT', 'stale'])
    expect(await executionOf(eventId)).toBeNull()
  })

  it('is the earlier one of it and the expiry of the policy, also when the policy changes', async () => {
    const { id } = await fixture.policy(
      { humanReview: true },
      { ...person, approval: { identity: 'session', expiresAfterSeconds: 60 } },
    )
    const { body } = await ask(approvalRequest())
    const { createdAt, waiting } = (await fixture.v1('GET', `/api/v1/decision-events/${body.event_id}`)).body.data
    expect(Date.parse(waiting.expiresAt) - Date.parse(createdAt)).toBe(60_000)
    const request = approvalRequest({ presented: { expires_at: new Date(Date.now() + 30_000).toISOString() } })
    const { body: sooner } = await ask(request)
    await fixture.platform('PATCH', `/api/policies/${id}`, { description: 'Another version' })
    await runWaitingJob()
    const read = (await fixture.v1('GET', `/api/v1/decision-events/${sooner.event_id}`)).body.data
    expect(read.waiting.expiresAt).toBe(request.expires_at)
  })
})

describe('409 CONFLICT', () => {
  it('when no policy asks for an approval, and records nothing', async () => {
    expect(await refusal(approvalRequest())).toEqual([409, 'CONFLICT', 'noPolicy'])
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['other.*'] } })
    expect(await refusal(approvalRequest())).toEqual([409, 'CONFLICT', 'noPolicy'])
    expect(await recordedOnes()).toBe(0)
  })

  it('when the ID is that of another request', async () => {
    await held()
    const request = approvalRequest()
    await ask(request)
    const { approval_request_id } = request
    const other = approvalRequest({ presented: { approval_request_id }, binding: { parameters: { amount: 4 } } })
    expect(await refusal(other)).toEqual([409, 'CONFLICT', undefined])
  })

  it('when a decision that no policy held has this ID and this action', async () => {
    const request = approvalRequest()
    const { schema_version, type, input_digest, agent_id, operation, subject_id, binding, ...shown } = request
    const input = { ...shown, target: binding.target, parameters: binding.parameters }
    const body = { agent: { id: agent_id }, action: { type: operation, input } }
    const headers = { 'idempotency-key': request.approval_request_id }
    const decided = await fixture.v1('POST', '/api/v1/agents/decide', body, headers)
    expect(decided.body.data.outcome).toBe('completed')
    await held()
    expect(await refusal(request)).toEqual([409, 'CONFLICT', undefined])
  })

  it('when a freeze covers it, before and after the approval', async () => {
    const { request } = await approvedRequest()
    await fixture.platform('POST', '/api/freezes', { center: true, reason: 'Stop.' })
    expect(await refusal(request)).toEqual([409, 'CONFLICT', 'frozen'])
    expect(await refusal(approvalRequest())).toEqual([409, 'CONFLICT', 'frozen'])
  })

  it('when another executor has consumed the decision', async () => {
    const { request, eventId } = await approvedRequest()
    const { actionDigest } = (await fixture.v1('GET', `/api/v1/decision-events/${eventId}`)).body.data
    const body = { actionDigest, executor: 'somebody-else' }
    expect((await fixture.v1('POST', `/api/v1/decision-events/${eventId}/consume`, body)).status).toBe(200)
    expect((await refusal(request)).slice(0, 2)).toEqual([409, 'CONFLICT'])
  })
})

describe('403 FORBIDDEN', () => {
  it('for a key that is bound to another agent', async () => {
    await held()
    const bound = await server.world.key(fixture.center, {
      scopes: ['decide'],
      boundTo: { id: 'agent-8', type: 'ai_agent' },
    })
    expect((await refusal(approvalRequest(), bound)).slice(0, 2)).toEqual([403, 'FORBIDDEN'])
    const own = await server.world.key(fixture.center, {
      scopes: ['decide'],
      boundTo: { id: 'agent-7', type: 'ai_agent' },
    })
    expect((await ask(approvalRequest(), own)).status).toBe(202)
  })

  it('for a key that only reads', async () => {
    const reader = await server.world.key(fixture.center, { scopes: ['proof:read'] })
    expect((await refusal(approvalRequest(), reader)).slice(0, 2)).toEqual([403, 'FORBIDDEN'])
  })
})

describe('422 VALIDATION_ERROR', () => {
  const request = approvalRequest()
  const wrong: [string, object][] = [
    ['a binding of another action', { binding: { ...request.binding, parameters: { amount: 1 } } }],
    ['a member that its digest does not cover', { policy_version: 'another' }],
    ['no binding', { binding: undefined }],
    ['an unknown member', { approved: true }],
    ['another version', { schema_version: '2.0' }],
    ['an action type of the service', { ...approvalRequest({ binding: { operation: 'countersign.policy' } }) }],
    ['a binding of another agent', { ...approvalRequest({ presented: { agent_id: 'agent-8' } }) }],
    ['a time in the past', { ...approvalRequest({ presented: { expires_at: '2026-01-01T00:00:00+00:00' } }) }],
    ['a time that does not exist', { ...approvalRequest({ presented: { expires_at: '2026-13-01T00:00:00+00:00' } }) }],
  ]
  it.each(wrong)('%s', async (_, overrides) => {
    await held()
    expect((await refusal({ ...request, ...overrides })).slice(0, 2)).toEqual([422, 'VALIDATION_ERROR'])
    expect(await recordedOnes()).toBe(0)
  })
})

describe('another center', () => {
  it('has its own request under the same ID', async () => {
    const { request } = await approvedRequest()
    const elsewhere = await openProofFixture(server)
    await elsewhere.policy({ humanReview: true }, person)
    const { status, body } = await server.call('POST', path, { token: elsewhere.key, body: request })
    expect([status, body.status]).toEqual([202, 'pending'])
  })
})
