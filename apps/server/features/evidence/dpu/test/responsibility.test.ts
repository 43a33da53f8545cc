import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const responsibility = (id: string, token = fixture.token) =>
  fixture.server.call('GET', `/api/dpu/${id}/responsibility`, { token })

describe('200', () => {
  it('of a DPU: its creator, and the reason in its metadata', async () => {
    const dpu = await fixture.unit({ content: 'Attendance confirmed', referenceType: 'lms-attendance' })
    const where = {
      centerId: fixture.center.id,
      centerName: `Center ${fixture.center.domain}`,
      vertical: 'education',
      domain: 'dpu',
    }
    const who = { id: fixture.admin.actorId, name: expect.any(String), role: 'ADMIN', type: 'human' }
    const how = {
      method: 'manual',
      workflowId: null,
      model: null,
      provider: null,
      promptHash: null,
      confidence: null,
      evidenceLevel: 'DRAFT',
    }
    const { status, body } = await responsibility(dpu.id)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      who,
      what: { summary: 'Attendance confirmed', action: 'lms-attendance', output: null },
      when: { decidedAt: dpu.timestamp, sealedAt: null },
      where,
      why: { reason: null, policies: [] },
      how,
    })
    const { body: raised } = await fixture.platform('PUT', `/api/dpu/${dpu.id}`, {
      evidenceLevel: 'AUDIT_READY',
      metadata: { reason: 'Seen by two.' },
    })
    expect((await responsibility(dpu.id)).body.data).toMatchObject({
      when: { decidedAt: dpu.timestamp, sealedAt: raised.data.sealedAt },
      why: { reason: 'Seen by two.' },
      how: { evidenceLevel: 'AUDIT_READY' },
    })
  })

  it("of a decision: the decider, and the approver's reason before the actor's", async () => {
    const event = await fixture.record({ occurredAt: '2026-11-01T00:00:00Z' })
    const { sealedAt } = (await fixture.approve(event.id, { reason: 'Agreed.' })).body.data
    const { body } = await responsibility(event.evidence.id.replace('evd_', 'dpu_'))
    expect(body.data).toEqual({
      who: { id: 'agent-7', name: 'Care planner', role: null, type: 'ai_agent' },
      what: { summary: 'Two sessions a week', action: 'plan.adjust', output: { sessions: 2 } },
      when: { decidedAt: '2026-11-01T00:00:00.000Z', sealedAt },
      where: expect.objectContaining({ centerId: fixture.center.id, domain: 'proof' }),
      why: { reason: 'Agreed.', policies: [] },
      how: {
        method: 'ai_recommendation',
        workflowId: null,
        model: 'planner-3',
        provider: 'in-house',
        promptHash: null,
        confidence: 0.92,
        evidenceLevel: 'AUDIT_READY',
      },
    })
  })

  it("of an agent's decision: its own reason, and the policies that applied", async () => {
    const { id, version, digest } = await fixture.policy({ riskThreshold: 1 }, { match: { actionTypes: ['stock.*'] } })
    const { body } = await fixture.decide({ riskScore: 0.4 })
    const answer = (await responsibility(body.data.dpu.id)).body.data
    expect(answer.why).toEqual({ reason: 'Nine boxes left.', policies: [{ id, version, digest }] })
  })

  it('permits an INSTRUCTOR', async () => {
    expect((await responsibility((await fixture.unit()).id, fixture.instructorToken)).status).toBe(200)
  })
})

it('404 DPU_NOT_FOUND for an id that does not exist', async () => {
  const { status, body } = await responsibility(newId('dpu'))
  expect([status, body.error.code]).toEqual([404, 'DPU_NOT_FOUND'])
})
