/** Events that the service itself publishes, when, and in the form of the event catalogue. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { approver, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { armFailpoint } from '../../../../lib/failpoint.ts'
import { atOnce, aWhile, type Fixture, startFixture, statuses } from './fixture.ts'
import { byHuman, dpuOf, subscribedCenter } from './subscribed-center.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ fence: true })
})
afterEach(() => armFailpoint(null))
afterAll(() => fixture.close())

const bare = (hash: string) => hash.replace(/^sha256:/, '')
const exportedHash = async ({ v1 }: ProofFixture, evidenceId: string): Promise<string> =>
  (await v1('GET', `/api/v1/evidence/${evidenceId}/export`)).body.verification.chainHash

describe('dpu.sealed', () => {
  it.each(['approved', 'rejected'])(
    'is published when a decision is %s, with the hash of its export',
    async (result) => {
      const center = await subscribedCenter(fixture)
      const event = await center.record(byHuman)
      const { body } = await center.approve(event.id, { result, reason: 'Because.' })
      const [sealed] = await center.receivedEvents(1)
      expect(sealed).toEqual({
        type: 'dpu.sealed',
        data: {
          dpuId: dpuOf(event.id),
          eventId: event.id,
          decisionId: event.decisionId,
          chainHash: bare(body.data.sealedHash),
          domain: 'proof',
          actorId: 'kim',
          evidenceLevel: 'AUDIT_READY',
          chainIndex: 0,
          sealedAt: body.data.sealedAt,
          checkpoint: body.data.receipt.checkpoint,
        },
      })
      expect(sealed?.data.chainHash).toMatch(/^[0-9a-f]{64}$/)
      expect(`sha256:${sealed?.data.chainHash}`).toBe(await exportedHash(center, event.evidence.id))
    },
  )

  it('is published when a dpu becomes AUDIT_READY, and not at DRAFT or DOCUMENTED', async () => {
    const center = await subscribedCenter(fixture)
    const { id } = await center.unit({ content: 'Two sessions a week' })
    await center.raise(id, 'DOCUMENTED')
    await center.platform('PUT', `/api/dpu/${id}`, { metadata: { room: 3 } })
    await aWhile()
    expect([center.consumer.received, await center.written()]).toEqual([[], []])
    const raised = await center.raise(id, 'AUDIT_READY')
    const [sealed] = await center.receivedEvents(1)
    expect(sealed).toEqual({
      type: 'dpu.sealed',
      data: {
        dpuId: id,
        eventId: null,
        decisionId: null,
        chainHash: raised.body.data.chainHash,
        domain: 'dpu',
        evidenceLevel: 'AUDIT_READY',
        actorId: center.admin.actorId,
        chainIndex: raised.body.data.chainIndex,
        sealedAt: raised.body.data.sealedAt,
        // The seal of a dpu is an entry of its history: the third, after the level and the metadata.
        checkpoint: expect.stringMatching(/^countersign\.test\/c\/\d+\/history\n3\n/),
      },
    })
    const exported = (await center.platform('GET', `/api/dpu/${id}/export`)).body.verification.chainHash
    expect(`sha256:${sealed?.data.chainHash}`).toBe(exported)
  })

  it('is published once where metadata and the level change together', async () => {
    const center = await subscribedCenter(fixture)
    const { id } = await center.unit()
    await center.platform('PUT', `/api/dpu/${id}`, { metadata: { room: 3 }, evidenceLevel: 'AUDIT_READY' })
    expect((await center.receivedEvents(1))[0]?.type).toBe('dpu.sealed')
  })

  it('is not published when the new level is refused', async () => {
    const center = await subscribedCenter(fixture)
    const { id } = await center.unit()
    expect((await center.raise(id, 'AUDIT_READY', center.instructorToken)).status).toBe(403)
    await center.raise(id, 'AUDIT_READY')
    expect((await center.raise(id, 'AUDIT_READY')).status).toBe(403)
    await center.receivedEvents(1)
  })
})

describe('dpu.raised', () => {
  it('is published when a person raises a decision, which is announced once', async () => {
    const center = await subscribedCenter(fixture)
    const { eventId, decisionId, dpu } = (await center.decide({ reason: undefined })).body.data
    await center.receivedEvents(2)
    const first = await center.raise(dpu.id, 'DOCUMENTED', center.instructorToken)
    const second = await center.raise(dpu.id, 'AUDIT_READY')
    expect([first.status, second.status]).toEqual([200, 200])
    const received = await center.receivedEvents(4)
    const types = received.map(({ type }) => type).sort()
    expect(types).toEqual(['agent.decision.completed', 'dpu.raised', 'dpu.raised', 'dpu.sealed'])
    const raised = received.filter(({ type }) => type === 'dpu.raised').map(({ data }) => data)
    const same = { dpuId: dpu.id, eventId, decisionId, actorId: 'agent-7', domain: 'proof', chainIndex: 0 }
    const step = (previousLevel: string, evidenceLevel: string, reviewerId: string) => ({
      ...{ ...same, chainHash: bare(dpu.chainHash), previousLevel, evidenceLevel, reviewerId },
      raisedAt: expect.stringMatching(/Z$/),
      checkpoint: expect.stringContaining(`/c/${center.center.id}/history`),
    })
    expect(raised).toHaveLength(2)
    expect(raised).toEqual(
      expect.arrayContaining([
        step('DRAFT', 'DOCUMENTED', center.instructor.actorId),
        step('DOCUMENTED', 'AUDIT_READY', center.admin.actorId),
      ]),
    )
  })

  it('is not published for a unit of the platform, which nothing has announced', async () => {
    const center = await subscribedCenter(fixture)
    const { id } = await center.unit()
    await center.raise(id, 'DOCUMENTED')
    await center.raise(id, 'AUDIT_READY')
    expect((await center.receivedEvents(1)).map(({ type }) => type)).toEqual(['dpu.sealed'])
  })

  it('does not name the reviewer as the one who decided, where that name was redacted', async () => {
    const center = await subscribedCenter(fixture)
    const { id } = await center.unit()
    const redaction = { paths: ['createdBy'], reason: 'Asked for erasure.' }
    expect((await center.platform('POST', `/api/dpu/${id}/redactions`, redaction)).status).toBe(201)
    await center.raise(id, 'AUDIT_READY')
    expect((await center.receivedEvents(1))[0]?.data.actorId).toBe('redacted')
  })
})

describe('agent.decision.completed', () => {
  it('is published with the seal when an agent decides without approval', async () => {
    const center = await subscribedCenter(fixture)
    const { body } = await center.decide({ riskScore: 0.2 })
    const { decisionId, eventId, dpu } = body.data
    const [sealed, completed] = await center.receivedEvents(2)
    expect(sealed).toMatchObject({
      type: 'dpu.sealed',
      data: { dpuId: dpu.id, eventId, decisionId, actorId: 'agent-7', evidenceLevel: 'DOCUMENTED' },
    })
    expect(sealed?.data.chainHash).toBe(bare(dpu.chainHash))
    expect(completed).toEqual({
      type: 'agent.decision.completed',
      data: {
        decisionId,
        eventId,
        agentId: 'agent-7',
        actorId: 'agent-7',
        actionType: 'stock.reorder',
        outcome: 'autonomous',
        dpuId: dpu.id,
        evidenceLevel: 'DOCUMENTED',
        chainHash: bare(dpu.chainHash),
        sealedAt: sealed?.data.sealedAt,
      },
    })
  })

  it.each(['approved', 'rejected'])('is published when a person has %s the proposal of an agent', async (outcome) => {
    const center = await subscribedCenter(fixture)
    const event = await center.record()
    await center.approve(event.id, { result: outcome, reason: 'Because.' })
    const [, completed] = await center.receivedEvents(2)
    expect(completed).toMatchObject({
      type: 'agent.decision.completed',
      data: { decisionId: event.decisionId, eventId: event.id, outcome, dpuId: dpuOf(event.id) },
    })
  })

  it('is not published when no agent decided', async () => {
    const center = await subscribedCenter(fixture)
    await center.approve((await center.record(byHuman)).id)
    expect((await center.receivedEvents(1)).map(({ type }) => type)).toEqual(['dpu.sealed'])
  })

  it('is published once, however often the agent repeats the key', async () => {
    const center = await subscribedCenter(fixture)
    for (let n = 0; n < 3; n++) await center.decide({}, { 'idempotency-key': 'order-1' })
    await center.receivedEvents(2)
  })
})

describe('agent.approval.requested', () => {
  it('is published once, however often the agent repeats the request; the approval then completes the decision', async () => {
    const center = await subscribedCenter(fixture)
    const policy = await center.policy({ humanReview: true })
    const key = { 'idempotency-key': 'order-2' }
    const { body } = await center.decide({ riskScore: 0.7 }, key)
    for (let n = 0; n < 3; n++) await center.decide({ riskScore: 0.7 }, key)
    const [requested] = await center.receivedEvents(1)
    expect(requested).toEqual({
      type: 'agent.approval.requested',
      data: {
        decisionId: 'order-2',
        eventId: body.data.eventId,
        agentId: 'agent-7',
        actionType: 'stock.reorder',
        riskScore: 0.7,
        policies: [policy.id],
        requestedAt: expect.stringMatching(/Z$/),
        approvalUrl: `http://countersign.test/approve/${body.data.eventId}`,
        description: 'Order 40 boxes',
        actionDigest: body.data.actionDigest,
        expiresAt: null,
      },
    })
    await center.approve(body.data.eventId, approver('kim'))
    const received = await center.receivedEvents(4)
    const [sealed, completed] = ['dpu.sealed', 'agent.decision.completed'].map((type) =>
      received.find((each) => each.type === type),
    )
    expect(sealed).toMatchObject({ type: 'dpu.sealed', data: { dpuId: body.data.dpu.id } })
    expect(completed).toMatchObject({ type: 'agent.decision.completed', data: { outcome: 'approved' } })
  })

  it('is published for a decision whose first seal failed before a policy required a person', async () => {
    const center = await subscribedCenter(fixture)
    const key = { 'idempotency-key': 'order-4' }
    armFailpoint('fail:seal.append')
    expect((await center.decide({}, key)).body.data.dpu.status).toBe('pending')
    armFailpoint(null)
    await center.policy({ humanReview: true })
    for (let n = 0; n < 3; n++) expect((await center.decide({}, key)).body.data.outcome).toBe('approval_required')
    expect(await center.receivedEvents(1)).toMatchObject([
      { type: 'agent.approval.requested', data: { decisionId: 'order-4' } },
    ])
  })

  it('is published once for fifty concurrent requests with the same key', async () => {
    const center = await subscribedCenter(fixture)
    await center.policy({ humanReview: true })
    const answers = await atOnce(50, () => center.decide({}, { 'idempotency-key': 'order-3' }))
    expect(statuses(answers)).toEqual({ 200: 49, 201: 1 })
    expect((await center.receivedEvents(1))[0]?.data.decisionId).toBe('order-3')
  })

  it('has no risk score where the agent gave none, and nothing is sealed before the second of two approvals', async () => {
    const center = await subscribedCenter(fixture)
    await center.policy({ dualApproval: true })
    const { body } = await center.decide()
    await center.approve(body.data.eventId, approver('kim'))
    expect(await center.receivedEvents(1)).toMatchObject([
      { type: 'agent.approval.requested', data: { riskScore: null } },
    ])
    await center.approve(body.data.eventId, approver('lee'))
    expect((await center.receivedEvents(4)).map(({ type }) => type).sort()).toEqual([
      'agent.approval.decided',
      'agent.approval.requested',
      'agent.decision.completed',
      'dpu.sealed',
    ])
  })
})
