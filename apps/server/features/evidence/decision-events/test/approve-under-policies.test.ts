import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approver, openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { policyCopies } from '../policy-copies.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
// Each test has its own center, because policies of one test would apply to the next.
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const exported = async (evidenceId: string) => (await fixture.v1('GET', `/api/v1/evidence/${evidenceId}/export`)).body
const statusOf = async () => (await fixture.v1('GET', '/api/v1/decision-events')).body.data[0].status

describe('two approvers', () => {
  it('stores the first without a seal, and seals both with the second, by another approver', async () => {
    await fixture.policy({ dualApproval: true })
    const event = await fixture.record()
    const first = await fixture.approve(event.id, { ...approver('kim'), reason: 'Fine with me.' })
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({ result: 'approved', sealedHash: null, sealedAt: null })
    // All six Ws are answered, so the event is documented; only the second approver is missing.
    expect(first.body.data.evidenceLevel).toBe('DOCUMENTED')
    expect(await statusOf()).toBe('approved')
    expect((await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}`)).status).toBe(404)

    const second = await fixture.approve(event.id, { ...approver('lee'), reason: 'And with me.' })
    expect(second.body.data).toMatchObject({ evidenceLevel: 'AUDIT_READY', approver: { id: 'lee' } })
    expect(await statusOf()).toBe('sealed')

    const proof = await exported(event.evidence.id)
    expect(verifyExport(proof)).toMatchObject({ valid: true, hash: second.body.data.sealedHash, undisclosed: [] })
    expect(proof.evidence.approval).toMatchObject({ approver: { id: 'lee' }, reason: 'And with me.' })
    expect(proof.evidence.prior0.approval).toEqual({
      approver: { id: 'kim', type: 'human' },
      result: 'approved',
      reason: 'Fine with me.',
      submittedBy: expect.stringMatching(/^key_/),
      identity: { level: 'claim', by: expect.stringMatching(/^key_/) },
      channel: 'api',
      approvedAt: first.body.data.createdAt,
    })
    // Without the first approval the proof does not hold.
    const { prior0: _, ...rest } = proof.evidence
    expect(verifyExport({ ...proof, evidence: rest }).valid).toBe(false)
  })

  it('answers 409 CONFLICT when the same approver approves again', async () => {
    await fixture.policy({ dualApproval: true })
    const event = await fixture.record()
    await fixture.approve(event.id, approver('kim'))
    const { status, body } = await fixture.approve(event.id, approver('kim', { name: 'Kim under another name' }))
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect(await statusOf()).toBe('approved')
  })

  it('seals a refusal by the second together with the first approval', async () => {
    await fixture.policy({ dualApproval: true })
    const event = await fixture.record()
    await fixture.approve(event.id, approver('kim'))
    const { body } = await fixture.approve(event.id, { ...approver('lee'), result: 'rejected' })
    expect(body.data).toMatchObject({ result: 'rejected', evidenceLevel: 'AUDIT_READY' })
    expect(await statusOf()).toBe('rejected')
    const proof = await exported(event.evidence.id)
    expect(verifyExport(proof).valid).toBe(true)
    expect(proof.evidence.prior0.approval).toMatchObject({ approver: { id: 'kim' }, result: 'approved' })
  })

  it('seals a first refusal without a second', async () => {
    await fixture.policy({ dualApproval: true })
    const event = await fixture.record()
    const { body } = await fixture.approve(event.id, { ...approver('kim'), result: 'rejected' })
    expect(body.data.sealedHash).toMatch(/^sha256:/)
    expect(await statusOf()).toBe('rejected')
  })

  it('needs both approvals also when the policy is withdrawn in between', async () => {
    const policy = await fixture.policy({ dualApproval: true })
    const event = await fixture.record()
    await fixture.platform('DELETE', `/api/policies/${policy.id}`)
    expect((await fixture.approve(event.id, approver('kim'))).body.data.sealedHash).toBeNull()
    const { body } = await fixture.approve(event.id, approver('lee'))
    expect(body.data.evidenceLevel).toBe('AUDIT_READY')
    const proof = await exported(event.evidence.id)
    expect(proof.evidence.policies).toMatchObject([{ id: policy.id, version: 1 }])
    expect(verifyExport(proof).valid).toBe(true)
  })

  it('accepts two of many concurrent approvals and answers the others with 409', async () => {
    await fixture.policy({ dualApproval: true })
    const event = await fixture.record()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => fixture.approve(event.id, approver(`approver-${i}`))),
    )
    const kinds = answers.map(({ status, body }) =>
      status === 200 ? (body.data.sealedHash ? 'seals' : 'first') : status,
    )
    expect(kinds.toSorted()).toEqual([...Array(18).fill(409), 'first', 'seals'])
  })
})

describe('who may approve', () => {
  const cases: [string, object, object, string, string][] = [
    [
      'a system, under human review',
      { humanReview: true },
      { approver: { id: 'robot', type: 'system' } },
      'humanReview',
      'notPerson',
    ],
    ['the decider, under human review', { humanReview: true }, approver('agent-7'), 'humanReview', 'ownDecision'],
    ['the decider, under dual approval', { dualApproval: true }, approver('agent-7'), 'dualApproval', 'ownDecision'],
  ]
  it.each(cases)('422 POLICY_VIOLATION for %s', async (_, guards, who, guard, reason) => {
    const policy = await fixture.policy(guards as Record<string, unknown>, { name: 'Second pair of eyes' })
    const event = await fixture.record()
    const { status, body } = await fixture.approve(event.id, who as Record<string, unknown>)
    expect([status, body.error.code]).toEqual([422, 'POLICY_VIOLATION'])
    expect(body.error.details).toEqual({ reason, policyId: policy.id, rule: `${guard}: true`, guard })
    expect(body.error.message).toContain('"Second pair of eyes"')
    expect(await statusOf()).toBe('recorded')
  })

  it('200 for a person, under human review, and for a refusal by any approver', async () => {
    await fixture.policy({ humanReview: true })
    const [one, other] = [await fixture.record(), await fixture.record()]
    expect((await fixture.approve(one.id)).status).toBe(200)
    const no = await fixture.approve(other.id, { approver: { id: 'agent-7', type: 'system' }, result: 'rejected' })
    expect(no.status).toBe(200)
  })

  it('200 for the decider, where no policy forbids it', async () => {
    const event = await fixture.record()
    expect((await fixture.approve(event.id, approver('agent-7'))).status).toBe(200)
  })
})

describe('evidence', () => {
  it('422 POLICY_VIOLATION names what is missing, and the approver may add it', async () => {
    const policy = await fixture.policy({ minimumEvidenceLevel: 'DOCUMENTED' })
    const event = await fixture.record({ aiContext: { model: 'planner-3' } })
    const refused = await fixture.approve(event.id)
    expect([refused.status, refused.body.error.code]).toEqual([422, 'POLICY_VIOLATION'])
    expect(refused.body.error.details).toEqual({
      reason: 'minimumEvidenceLevel',
      policyId: policy.id,
      rule: 'minimumEvidenceLevel: "DOCUMENTED"',
      guard: 'minimumEvidenceLevel',
    })
    expect(refused.body.error.message).toContain('is missing "why"')
    expect((await fixture.approve(event.id, { reason: 'Seen and agreed.' })).status).toBe(200)
  })

  it('422 POLICY_VIOLATION where a policy is required and none covers the decision', async () => {
    const required = await fixture.policy({ policyRequired: true })
    const event = await fixture.record()
    const { body } = await fixture.approve(event.id)
    expect(body.error.details).toMatchObject({ policyId: required.id, guard: 'policyRequired' })
    await fixture.policy({ riskThreshold: 1 }, { match: { actionTypes: ['plan.*'] } })
    expect((await fixture.approve(event.id)).status).toBe(200)
  })

  it('stores a refusal for its Idempotency-Key, whatever the policies say later', async () => {
    const policy = await fixture.policy({ policyRequired: true })
    const event = await fixture.record()
    const once = { 'idempotency-key': 'refused' }
    const first = await fixture.approve(event.id, {}, once)
    await fixture.platform('DELETE', `/api/policies/${policy.id}`)
    const again = await fixture.approve(event.id, {}, once)
    expect([again.status, again.text]).toEqual([422, first.text])
    expect((await fixture.approve(event.id)).status).toBe(200)
  })
})

describe('the seal names the policies', () => {
  it('in the version in force at that moment, with its digest', async () => {
    const policy = await fixture.policy({ humanReview: true })
    const other = await fixture.policy({ humanReview: true }, { match: { actionTypes: ['loan.*'] } })
    const [before, after] = [await fixture.record(), await fixture.record()]
    await fixture.approve(before.id)
    const changed = await fixture.platform('PATCH', `/api/policies/${policy.id}`, { guards: { riskThreshold: 0.5 } })
    await fixture.approve(after.id)
    const named = async (evidenceId: string) => (await exported(evidenceId)).evidence.policies
    expect(await named(before.evidence.id)).toEqual([{ id: policy.id, version: 1, digest: policy.digest }])
    // What asked when it began to wait is named beside what is in force.
    expect(await named(after.evidence.id)).toEqual([
      { id: policy.id, version: 1, digest: policy.digest },
      { id: policy.id, version: 2, digest: changed.body.data.digest },
    ])
    expect(changed.body.data.digest).not.toBe(policy.digest)
    expect(JSON.stringify(await named(after.evidence.id))).not.toContain(other.id)
    const evidence = (await fixture.v1('GET', `/api/v1/evidence/${after.evidence.id}`)).body.data
    expect(evidence.policies).toEqual(await named(after.evidence.id))
  })
})

it('a batch keeps the policies of a center that another batch forgets while it reads those of others', async () => {
  const copies = policyCopies(server.services.cells.of('main'))
  const [known, other] = [fixture.center.id, (await server.world.center()).id]
  await copies.of([known])
  const reading = copies.of([known, other])
  copies.forget([known])
  expect([...(await reading).keys()].sort()).toEqual([known, other].sort())
})
