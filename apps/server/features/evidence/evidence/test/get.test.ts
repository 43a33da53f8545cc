import { actionDigest, type DigestedAction } from '@countersign/proof/action-digest.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { newId, typedId, uuidOf } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const get = (id: string, token = fixture.key) => fixture.server.call('GET', `/api/v1/evidence/${id}`, { token })

describe('200', () => {
  it('shows the decision, its approver and its index in the chain', async () => {
    const event = await fixture.record({ occurredAt: '2026-11-01T08:00:00+09:00' })
    const approved = await fixture.approve(event.id, { reason: 'Agreed.' })
    const { status, body } = await get(event.evidence.id)
    const { type, actor, action, aiContext, tags } = sampleEvent()
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: event.evidence.id,
      decisionId: event.decisionId,
      status: 'sealed',
      evidenceLevel: 'AUDIT_READY',
      actionDigest: actionDigest(body.data.actionSalt, { type, actor, action, aiContext } as DigestedAction),
      actionSalt: expect.stringMatching(/^[\w-]{43}$/),
      event: {
        ...{ type, actor, action, aiContext, tags },
        occurredAt: '2026-10-31T23:00:00.000Z',
        recordedBy: expect.stringMatching(/^key_/),
      },
      approval: {
        approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
        result: 'approved',
        reason: 'Agreed.',
        submittedBy: expect.stringMatching(/^key_/),
        identity: { level: 'claim', by: expect.stringMatching(/^key_/) },
        channel: 'api',
        approvedAt: approved.body.data.sealedAt,
      },
      control: { rules: { index: null, digest: expect.stringMatching(/^sha256:/) } },
      chain: { hash: approved.body.data.sealedHash, previousHash: null, index: 0, domain: 'proof' },
      sealedAt: approved.body.data.sealedAt,
      createdAt: expect.stringMatching(/Z$/),
      receipt: approved.body.data.receipt,
    })
  })

  it("of an agent's completed decision has no approval", async () => {
    const { body } = await fixture.decide({ riskScore: 0.25 })
    const [evidenceId] = [typedId('evidence', uuidOf('decisionEvent', body.data.eventId) as string)]
    const evidence = (await get(evidenceId)).body.data
    expect(evidence).toMatchObject({
      approval: null,
      event: { type: 'agent_execution', actor: { id: 'agent-7', type: 'ai_agent' }, riskScore: 0.25 },
      chain: { hash: body.data.dpu.chainHash },
    })
  })

  it('returns any JSON that was decided on, to the character', async () => {
    const input = {
      'key with "quotes"': '\u0001 \u2028 👩‍👩‍👧‍👦 e\u0301 é',
      nested: [[], {}, [null, true, -0.5, 1e-7, 1e21, 12345678901]],
      __proto__: 'x',
      '': { '': '' },
    }
    const event = await fixture.record({ action: { type: 'x', input } })
    await fixture.approve(event.id)
    expect((await get(event.evidence.id)).body.data.event.action.input).toEqual(input)
  })

  it('permits a key that may only read', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const readOnly = await fixture.server.world.key(fixture.center, { scopes: ['proof:read'] })
    expect((await get(event.evidence.id, readOnly)).status).toBe(200)
  })
})

describe('404 NOT_FOUND', () => {
  it.each([
    ['does not exist', async () => newId('evidence')],
    ['is malformed', async () => 'evd_'],
    ['is not yet sealed', async () => (await fixture.record()).evidence.id],
    ['is the id of the event', async () => (await fixture.record()).id],
    [
      'belongs to a DPU that is not a decision',
      async () => typedId('evidence', uuidOf('dpu', (await fixture.unit()).id) as string),
    ],
    [
      'belongs to another center',
      async () => {
        const elsewhere = await openProofFixture(fixture.server)
        const event = await elsewhere.record()
        await elsewhere.approve(event.id)
        return event.evidence.id
      },
    ],
  ])('when it %s', async (_, id) => {
    const { status, body } = await get(await id())
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(body.error.message).toContain('no sealed evidence with this ID')
  })
})
