import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { newId } from '../../../../lib/ids.ts'
import { approved, consume, digestOf, newExecutor, recorded, refused, report, type SealedDecision } from './fixture.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const read = async ({ id }: { id: string }) => (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body.data
const exported = async (event: SealedDecision) =>
  (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
const boundKey = (id: string) => fixture.server.world.key(fixture.center, { boundTo: { id, type: 'ai_agent' } })

describe('200', () => {
  it('takes an approved decision for the digest that the executor computes from its arguments', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    expect(digestOf(event, 82_000)).toBe(event.actionDigest)
    const { status, body } = await consume(fixture, event, executor)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      eventId: event.id,
      actionDigest: event.actionDigest,
      executor,
      consumedAt: expect.stringMatching(/Z$/),
      replayed: false,
      chainHash: expect.stringMatching(/^sha256:/),
      receipt: expect.objectContaining({ log: expect.stringMatching(/\/history$/), checkpoint: expect.any(String) }),
    })
    const execution = { executor, consumedAt: body.data.consumedAt, outcome: null }
    expect((await read(event)).execution).toEqual(execution)
    const shown = await fixture.platform('GET', `/api/decisions/${event.id}`)
    expect(shown.body.data.execution).toEqual(execution)
  })

  it('is sealed in the history of the decision, which verifies offline and keeps its level', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    const { body } = await consume(fixture, event, executor)
    await report(fixture, event, { executor, status: 'succeeded', output: { transfer: 'tr-1' } })
    const proof = await exported(event)
    expect(verifyExport(proof)).toMatchObject({ valid: true, problems: [] })
    expect(proof.evidence).toMatchObject({ evidenceLevel: 'AUDIT_READY' })
    const by = { id: expect.stringMatching(/^key_/) }
    expect(proof.evidence.history).toMatchObject([
      { type: 'execution', action: 'consumed', executor, actionDigest: event.actionDigest, by },
      { type: 'execution', action: 'outcome', executor, status: 'succeeded', output: { transfer: 'tr-1' }, by },
    ])
    expect(proof.evidence.history[0].chain.hash).toBe(body.data.chainHash)
    const { body: verdict } = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect(verdict.data.valid).toBe(true)
    const one = await fixture.platform('GET', `/api/dpu/${event.evidence.id.replace('evd_', 'dpu_')}/verify`)
    expect(one.body.data).toMatchObject({ valid: true })
  })

  it('answers the same executor again with the same values and `replayed`', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    const first = await consume(fixture, event, executor)
    await consume(fixture, await approved(fixture), newExecutor())
    const again = await consume(fixture, event, executor)
    expect([again.status, again.body.data]).toEqual([200, { ...first.body.data, replayed: true }])
    await report(fixture, event, { executor, status: 'failed' })
    expect((await consume(fixture, event, executor)).body.data.replayed).toBe(true)
  })

  it('takes a decision of an agent that needed no approval', async () => {
    const { body } = await fixture.decide()
    const event = { id: body.data.eventId } as SealedDecision
    const { status } = await consume(fixture, event, newExecutor(), { actionDigest: body.data.actionDigest })
    expect(status).toBe(200)
  })

  it('accepts another key that is bound to the actor of the decision', async () => {
    const event = await approved(fixture)
    expect((await consume(fixture, event, newExecutor(), { token: await boundKey('agent-7') })).status).toBe(200)
  })
})

describe('409', () => {
  it('for another executor, and for the same name under another key; `details.executor` is the first', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    await consume(fixture, event, executor)
    for (const [name, token] of [
      [newExecutor(), fixture.key],
      [executor, await boundKey('agent-7')],
    ] as const) {
      const answer = await consume(fixture, event, name, { token })
      expect([...refused(answer), answer.body.error.details]).toEqual([409, 'CONFLICT', { executor }])
    }
    expect((await read(event)).execution).toMatchObject({ executor })
  })

  it('before the approval, after the first of two, and after a refusal', async () => {
    const event = await recorded(fixture)
    expect(refused(await consume(fixture, event, newExecutor()))).toEqual([409, 'CONFLICT'])
    const policy = await fixture.policy({ dualApproval: true }, { match: { actionTypes: ['money.*'] } })
    const two = await recorded(fixture)
    await fixture.approve(two.id)
    expect(refused(await consume(fixture, two, newExecutor()))).toEqual([409, 'CONFLICT'])
    await fixture.platform('DELETE', `/api/policies/${policy.id}`)
    const executor = newExecutor()
    const no = await recorded(fixture)
    await fixture.approve(no.id, { result: 'rejected' })
    const answer = await consume(fixture, no, executor)
    expect(answer.body.error.message).toContain('refused')
    expect((await read(no)).execution).toBeNull()
  })

  it('is no stored answer: the same Idempotency-Key gets the present state', async () => {
    const event = await recorded(fixture)
    const headers = { 'idempotency-key': `run-${event.id}` }
    const executor = newExecutor()
    expect((await consume(fixture, event, executor, { headers })).status).toBe(409)
    await fixture.approve(event.id)
    const first = await consume(fixture, event, executor, { headers })
    expect([first.status, first.body.data.replayed]).toEqual([200, false])
    expect((await consume(fixture, event, executor, { headers })).body.data.replayed).toBe(true)
    // After a restart the key is the same and the executor is new.
    const restarted = await consume(fixture, event, newExecutor(), { headers })
    expect([restarted.status, restarted.body.error.details]).toEqual([409, { executor }])
  })
})

describe('422', () => {
  it('POLICY_VIOLATION for another action: approved 82,000 does not become 820,000', async () => {
    const event = await approved(fixture)
    const executor = newExecutor()
    const answer = await consume(fixture, event, executor, { actionDigest: digestOf(event, 820_000) })
    expect([...refused(answer), answer.body.error.details]).toEqual([
      422,
      'POLICY_VIOLATION',
      { reason: 'otherAction', guard: 'action' },
    ])
    expect((await read(event)).execution).toBeNull()
    expect((await consume(fixture, event, executor)).body.data.replayed).toBe(false)
    const late = await consume(fixture, event, executor, { actionDigest: digestOf(event, 820_000) })
    expect(refused(late)).toEqual([422, 'POLICY_VIOLATION'])
  })

  const digest = `sha256:${'0'.repeat(64)}`
  it.each([
    ['no digest', { executor: 'e' }],
    ['no executor', { actionDigest: digest }],
    ['an empty executor', { actionDigest: digest, executor: '' }],
    ['a long executor', { actionDigest: digest, executor: 'e'.repeat(256) }],
    ['a digest without its algorithm', { actionDigest: digest.slice(7), executor: 'e' }],
    ['an unknown member', { actionDigest: digest, executor: 'e', force: true }],
  ])('VALIDATION_ERROR for %s', async (_, body) => {
    const answer = await fixture.v1('POST', `/api/v1/decision-events/${newId('decisionEvent')}/consume`, body)
    expect(refused(answer)).toEqual([422, 'VALIDATION_ERROR'])
  })
})

describe('403', () => {
  it('for another key of the center, and one that only reads', async () => {
    const event = await approved(fixture)
    const { world } = fixture.server
    for (const token of [
      await world.key(fixture.center),
      await world.key(fixture.center, { scopes: ['proof:read'] }),
      await world.key(fixture.center, { scopes: ['proof:approve'] }),
    ]) {
      expect(refused(await consume(fixture, event, newExecutor(), { token }))).toEqual([403, 'FORBIDDEN'])
    }
    expect((await read(event)).execution).toBeNull()
  })
})
