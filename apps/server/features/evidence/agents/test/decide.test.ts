import { actionDigest } from '@countersign/proof/action-digest.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  approver,
  openProofFixture,
  type ProofFixture,
  sampleDecision,
} from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { typedId, uuidOf } from '../../../../lib/ids.ts'

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

const digestOf = (salt: string, overrides: object) => {
  const { agent, action, aiContext, reason, riskScore } = { ...sampleDecision(), ...overrides } as unknown as Record<
    'agent' | 'action' | 'aiContext',
    object
  > & { reason: string; riskScore: number }
  const actor = { ...agent, type: 'ai_agent' }
  return actionDigest(salt, { type: 'agent_execution', actor, action, aiContext, reason, riskScore })
}
const withKey = (key: string) => ({ 'idempotency-key': key })
const evidenceOf = (eventId: string) => typedId('evidence', uuidOf('decisionEvent', eventId) as string)
const exported = async (eventId: string) =>
  (await fixture.v1('GET', `/api/v1/evidence/${evidenceOf(eventId)}/export`)).body
const list = async () => (await fixture.v1('GET', '/api/v1/decision-events')).body.data
const chainLength = async () => ((await fixture.v1('GET', '/api/v1/chains/proof/entries')).body ?? []).length

describe('201 completed', () => {
  it('seals a decision of a megabyte, whose hashes are made before its batch', async () => {
    const input = { lines: Array(900).fill('가x'.repeat(250)), reason: '환불' }
    const action = { type: 'import', description: 'Import', input }
    const { status, body } = await fixture.decide({ action, riskScore: 0.2 }, withKey('a-megabyte'))
    expect(status).toBe(201)
    expect(body.data.actionDigest).toBe(digestOf(body.data.actionSalt, { action, riskScore: 0.2 }))
    const proof = await exported(body.data.eventId)
    expect(verifyExport(proof)).toMatchObject({ valid: true, undisclosed: [] })
    expect((await fixture.decide({ action, riskScore: 0.2 }, withKey('a-megabyte'))).body.data.eventId).toBe(
      body.data.eventId,
    )
  })

  it('seals the decision at once, without an approval', async () => {
    const { status, body } = await fixture.decide({ riskScore: 0.2, tags: ['stock'] })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      decisionId: expect.stringMatching(/^dec_/),
      approvalUrl: null,
      eventId: expect.stringMatching(/^evt_/),
      outcome: 'completed',
      policies: [],
      actionDigest: digestOf(body.data.actionSalt, { riskScore: 0.2 }),
      actionSalt: expect.stringMatching(/^[\w-]{43}$/),
      dpu: {
        id: typedId('dpu', uuidOf('decisionEvent', body.data.eventId) as string),
        status: 'sealed',
        chainHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
      receipt: expect.objectContaining({
        log: expect.stringMatching(/\/c\/\d+\/proof$/),
        checkpoint: expect.any(String),
      }),
    })
    const proof = await exported(body.data.eventId)
    expect(verifyExport(proof)).toMatchObject({ valid: true, hash: body.data.dpu.chainHash, undisclosed: [] })
    expect(proof.evidence).not.toHaveProperty('approval')
    expect(proof.evidence).toMatchObject({
      decisionId: body.data.decisionId,
      // Without a person it never becomes AUDIT_READY.
      evidenceLevel: 'DOCUMENTED',
      status: 'sealed',
      event: {
        type: 'agent_execution',
        actor: { id: 'agent-7', type: 'ai_agent', name: 'Stock keeper' },
        action: { type: 'stock.reorder', output: { boxes: 40 } },
        reason: 'Nine boxes left.',
        riskScore: 0.2,
        tags: ['stock'],
      },
    })
  })

  it('creates a decision event that is sealed from the start', async () => {
    const { body } = await fixture.decide({ tags: ['stock'] })
    expect(await list()).toMatchObject([{ id: body.data.eventId, type: 'agent_execution', status: 'sealed' }])
    const again = await fixture.approve(body.data.eventId)
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('accepts a decision with only the required fields', async () => {
    const body = { agent: { id: 'a' }, action: { type: 'x' } }
    expect((await fixture.v1('POST', '/api/v1/agents/decide', body)).status).toBe(201)
  })

  it('names the policies that applied, with version and digest', async () => {
    const { id, version, digest } = await fixture.policy(
      { riskThreshold: 0.5 },
      { match: { actorTypes: ['ai_agent'] } },
    )
    await fixture.policy({ humanReview: true }, { match: { actorTypes: ['human'] } })
    const { body } = await fixture.decide({ riskScore: 0.5 })
    expect(body.data).toMatchObject({ outcome: 'completed', policies: [{ id, version, digest }] })
    expect((await exported(body.data.eventId)).evidence.policies).toEqual([{ id, version, digest }])
  })
})

describe('201 approval_required', () => {
  const asking: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['human review', { humanReview: true }, {}],
    ['a risk above the threshold', { riskThreshold: 0.3 }, { riskScore: 0.31 }],
    ['a threshold and no stated risk', { riskThreshold: 0.3 }, {}],
    ['two approvers', { dualApproval: true }, {}],
    ['the highest level', { minimumEvidenceLevel: 'AUDIT_READY' }, {}],
  ]
  it.each(asking)('records and does not seal under %s', async (_, guards, overrides) => {
    const { id, version, digest } = await fixture.policy(guards)
    const { status, body } = await fixture.decide(overrides)
    expect([status, body.data.outcome]).toEqual([201, 'approval_required'])
    expect(body.data.dpu).toMatchObject({ status: 'pending', chainHash: null })
    expect(body.data.policies).toEqual([{ id, version, digest }])
    const { approvalUrl, eventId, note } = body.data
    expect(approvalUrl).toBe(`http://countersign.test/approve/${eventId}`)
    const [, path] = /GET (\S+)\.$/.exec(note) ?? []
    expect((await fixture.v1('GET', path ?? '')).body.data.waiting.approvalUrl).toBe(approvalUrl)
    expect(await list()).toMatchObject([{ id: body.data.eventId, status: 'recorded' }])
    expect(await chainLength()).toBe(0)
  })

  it('is completed by the approval, and the same key then returns its current state', async () => {
    await fixture.policy({ humanReview: true })
    const first = await fixture.decide({}, withKey('order-1'))
    const waiting = await fixture.decide({}, withKey('order-1'))
    expect([waiting.status, waiting.body.data]).toEqual([200, first.body.data])
    const approved = await fixture.approve(first.body.data.eventId, approver('kim'))
    const { status, body } = await fixture.decide({}, withKey('order-1'))
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      decisionId: 'order-1',
      eventId: first.body.data.eventId,
      outcome: 'completed',
      policies: first.body.data.policies,
      dpu: { status: 'sealed', chainHash: approved.body.data.sealedHash },
    })
    expect(body.data).not.toHaveProperty('note')
  })

  it('may be refused by a person, and the same key then returns the refusal', async () => {
    await fixture.policy({ humanReview: true })
    const first = await fixture.decide({}, withKey('order-2'))
    await fixture.approve(first.body.data.eventId, { result: 'rejected' })
    const { status, body } = await fixture.decide({}, withKey('order-2'))
    expect([status, body.data.outcome, body.data.dpu.status]).toEqual([200, 'refused', 'sealed'])
    expect(body.data.note).toContain('refused')
  })

  it('stays open between two approvals', async () => {
    await fixture.policy({ dualApproval: true })
    const first = await fixture.decide({}, withKey('order-3'))
    await fixture.approve(first.body.data.eventId, approver('kim'))
    const { body } = await fixture.decide({}, withKey('order-3'))
    expect(body.data).toMatchObject({ outcome: 'approval_required', dpu: { status: 'pending', chainHash: null } })
  })
})

describe('200 with the same Idempotency-Key', () => {
  it('returns the decision and makes no other', async () => {
    const first = await fixture.decide({}, withKey('plan/2026-11-15#1'))
    const again = await fixture.decide({}, withKey('plan/2026-11-15#1'))
    expect([first.status, again.status]).toEqual([201, 200])
    expect(first.body.data.decisionId).toBe('plan/2026-11-15#1')
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBeNull()
    expect(await chainLength()).toBe(1)
  })

  it('creates one decision for many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.decide({}, withKey('k'))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await chainLength()).toBe(1)
  })

  it('creates another decision in another center', async () => {
    const elsewhere = await openProofFixture(server)
    await fixture.decide({}, withKey('k'))
    expect((await elsewhere.decide({}, withKey('k'))).status).toBe(201)
  })
})

describe('409 CONFLICT', () => {
  it('when the key was used for another decision', async () => {
    await fixture.decide({}, withKey('k'))
    const { status, body } = await fixture.decide({ reason: 'Another one.' }, withKey('k'))
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect(body.error.message).toContain('"k"')
  })

  it('when the key is the idempotencyKey of a recorded event, and the other way round', async () => {
    await fixture.record({ idempotencyKey: 'recorded' })
    expect((await fixture.decide({}, withKey('recorded'))).status).toBe(409)
    await fixture.decide({}, withKey('decided'))
    const { status } = await fixture.v1('POST', '/api/v1/decision-events', {
      type: 'custom',
      actor: { id: 'a', type: 'system' },
      action: { type: 'x' },
      idempotencyKey: 'decided',
    })
    expect(status).toBe(409)
    expect(await chainLength()).toBe(1)
  })

  it('when the key is a generated id of another decision', async () => {
    const { body } = await fixture.decide()
    expect((await fixture.decide({}, withKey(body.data.decisionId))).status).toBe(409)
  })
})

describe('422 POLICY_VIOLATION', () => {
  const refusing: [string, Record<string, unknown>, Record<string, unknown>, string][] = [
    ['policyRequired', { policyRequired: true }, {}, 'no other policy covers'],
    ['minimumEvidenceLevel', { minimumEvidenceLevel: 'DOCUMENTED' }, { reason: undefined }, 'is missing "why"'],
    ['minimumEvidenceLevel', { minimumEvidenceLevel: 'DOCUMENTED' }, { aiContext: undefined }, 'is missing "how"'],
    ['minimumEvidenceLevel', { minimumEvidenceLevel: 'AUDIT_READY' }, { reason: undefined }, 'is missing "why"'],
  ]
  it.each(refusing)(
    'by %s: names the policy, the rule and the guard, and seals the refusal',
    async (guard, guards, overrides, why) => {
      const policy = await fixture.policy(guards, { name: 'The rule of this fixture' })
      const { status, body } = await fixture.decide(overrides, withKey('k'))
      expect([status, body.error.code]).toEqual([422, 'POLICY_VIOLATION'])
      expect(body.error.details).toEqual({
        reason: 'refused',
        policyId: policy.id,
        rule: `${guard}: ${JSON.stringify(guards[guard])}`,
        guard,
        eventId: expect.stringMatching(/^evt_/),
      })
      expect(body.error.message).toContain('"The rule of this fixture"')
      expect(body.error.message).toContain(why)
      const { eventId } = body.error.details
      expect(await list()).toMatchObject([{ id: eventId, status: 'rejected' }])
      const proof = await exported(eventId)
      expect(verifyExport(proof)).toMatchObject({ valid: true })
      expect(proof.evidence).toMatchObject({
        evidenceLevel: expect.stringMatching(/^(DRAFT|DOCUMENTED)$/),
        approval: {
          approver: { id: policy.id, type: 'system' },
          result: 'rejected',
          identity: { level: 'system', by: 'countersign' },
        },
      })
      // The same key and body get the same answer, whatever the policies say now.
      await fixture.platform('DELETE', `/api/policies/${policy.id}`)
      const again = await fixture.decide(overrides, withKey('k'))
      expect([again.status, again.body.error.details]).toEqual([422, body.error.details])
      expect(again.body.error.message).toBe(body.error.message)
    },
  )
})

describe('422 VALIDATION_ERROR', () => {
  it.each([
    ['no agent', { agent: undefined }, 'agent'],
    ['no action type', { action: {} }, 'action.type'],
    ['a risk above 1', { riskScore: 1.01 }, 'riskScore'],
    ['a risk below 0', { riskScore: -0.01 }, 'riskScore'],
    ['an outcome', { outcome: 'completed' }, 'outcome'],
    ['too many tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
  ])('%s', async (_, overrides, path) => {
    const { status, body } = await fixture.decide(overrides)
    expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', path])
  })

  it('a malformed key', async () => {
    const { status, body } = await fixture.decide({}, withKey('x'.repeat(256)))
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })
})

describe('422 CHAIN_BROKEN', () => {
  it('when the chain is marked as broken, and records nothing', async () => {
    await fixture.decide()
    await server.world.query(`update cell.chain_heads set broken_at = 0 where center_id = $1`, [fixture.center.id])
    const { status, body } = await fixture.v1('POST', '/api/v1/agents/decide', sampleDecision())
    expect([status, body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect(await list()).toHaveLength(1)
  })
})
