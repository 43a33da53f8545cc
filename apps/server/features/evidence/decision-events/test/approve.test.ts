import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  approver,
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { newId } from '../../../../lib/ids.ts'
import { countEventsJob } from '../count-events.job.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const evidenceOf = async (id: string) => (await fixture.v1('GET', `/api/v1/evidence/${id}`)).body.data
/** The event as a list shows it. */
async function standing(decisionId: string) {
  const { body } = await fixture.v1('GET', '/api/v1/decision-events?limit=100')
  return body.data.find((event: { decisionId: string }) => event.decisionId === decisionId)
}

describe('200', () => {
  it('seals a recorded event: AUDIT_READY, with hash and time', async () => {
    const event = await fixture.record()
    const { status, body } = await fixture.approve(event.id, { reason: 'Agrees with my own assessment.' })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      approvalId: expect.stringMatching(/^apr_/),
      decisionId: event.decisionId,
      approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
      result: 'approved',
      reason: 'Agrees with my own assessment.',
      evidenceLevel: 'AUDIT_READY',
      sealedHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      sealedAt: expect.stringMatching(iso),
      createdAt: expect.stringMatching(iso),
      receipt: expect.objectContaining({ checkpoint: expect.any(String) }),
    })
    expect(await standing(event.decisionId)).toMatchObject({ status: 'sealed', updatedAt: body.data.sealedAt })
    const evidence = await evidenceOf(event.evidence.id)
    expect(evidence).toMatchObject({ status: 'sealed', evidenceLevel: 'AUDIT_READY' })
    expect(evidence.chain.hash).toBe(body.data.sealedHash)
    expect(evidence.approval.approvedAt).toBe(body.data.sealedAt)
  })

  it('links each seal to the previous one', async () => {
    const events = [await fixture.record(), await fixture.record()]
    const hashes: string[] = []
    for (const { id } of events) hashes.push((await fixture.approve(id)).body.data.sealedHash)
    const [first, second] = await Promise.all(events.map(({ evidence }) => evidenceOf(evidence.id)))
    expect(second.chain).toMatchObject({ previousHash: hashes[0], index: first.chain.index + 1, domain: 'proof' })
  })

  it('returns the seal when the same idempotencyKey is recorded again', async () => {
    const event = await fixture.record({ idempotencyKey: 'sealed-later' })
    const { body } = await fixture.approve(event.id)
    const again = await fixture.v1('POST', '/api/v1/decision-events', sampleEvent({ idempotencyKey: 'sealed-later' }))
    expect(again.status).toBe(200)
    expect(again.body.data).toMatchObject({
      status: 'sealed',
      evidence: { status: 'sealed', chainHash: body.data.sealedHash, chainIndex: expect.any(Number) },
    })
  })

  it('requires neither a name nor a reason, and accepts a system where no policy requires a person', async () => {
    const event = await fixture.record()
    const { status, body } = await fixture.v1('POST', `/api/v1/decision-events/${event.id}/approvals`, {
      approver: { id: 'rules-engine', type: 'system' },
      result: 'approved',
    })
    expect([status, body.data.approver]).toEqual([200, { id: 'rules-engine', type: 'system' }])
    expect(body.data).not.toHaveProperty('reason')
  })

  it('seals with the id of the submitting key, which a proof shows', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const { body } = await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)
    expect(body.evidence.approval.submittedBy).toMatch(/^key_/)
    expect(body.evidence.commitments).toHaveProperty(['approval.submittedBy'])
  })

  it('keeps the totals of lists exact, whether its event was counted before or not', async () => {
    const own = await openProofFixture(fixture.server)
    const [counted, refused] = [await own.record({ tags: ['a', 'b'] }), await own.record({ tags: ['a'] })]
    await countEventsJob(fixture.server.services, 'main', { centerId: own.center.id })
    const uncounted = await own.record({ tags: ['a'] })
    await own.record({ tags: ['b'] })
    await own.approve(counted.id)
    await own.approve(refused.id, { result: 'rejected' })
    await own.approve(uncounted.id)
    const total = async (query: string) =>
      (await own.v1('GET', `/api/v1/decision-events?${query}`)).body.pagination.total
    const totals = async () =>
      Promise.all(
        ['', 'status=sealed', 'status=recorded', 'status=rejected', 'status=sealed&tag=a', 'tag=b'].map(total),
      )
    expect(await totals()).toEqual([4, 2, 1, 1, 2, 2])
    await countEventsJob(fixture.server.services, 'main', { centerId: own.center.id })
    expect(await totals()).toEqual([4, 2, 1, 1, 2, 2])
  })

  describe('with the result rejected', () => {
    it('refuses the decision, and seals the refusal like an approval', async () => {
      const event = await fixture.record()
      const { status, body } = await fixture.approve(event.id, { result: 'rejected', reason: 'Too early.' })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ result: 'rejected', evidenceLevel: 'AUDIT_READY' })
      expect(body.data.sealedHash).toMatch(/^sha256:/)
      expect(await standing(event.decisionId)).toMatchObject({ status: 'rejected' })
      const exported = await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)
      expect(exported.body.evidence.approval).toMatchObject({ result: 'rejected', reason: 'Too early.' })
      expect(verifyExport(exported.body)).toMatchObject({ valid: true, hash: body.data.sealedHash })
    })

    it('is final: a later approval answers 409', async () => {
      const event = await fixture.record()
      await fixture.approve(event.id, { result: 'rejected' })
      for (const result of ['approved', 'rejected']) {
        const { status, body } = await fixture.approve(event.id, { ...approver('lee'), result })
        expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
      }
      expect(await standing(event.decisionId)).toMatchObject({ status: 'rejected' })
    })
  })
})

describe('Idempotency-Key', () => {
  it('seals once, and replays the answer byte for byte', async () => {
    const event = await fixture.record()
    const once = { 'idempotency-key': 'approve-1' }
    const first = await fixture.approve(event.id, {}, once)
    const again = await fixture.approve(event.id, {}, once)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true'])
    expect(first.headers.get('idempotency-replayed')).toBeNull()
  })

  it('replays a conflict too', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const once = { 'idempotency-key': 'approve-2' }
    const first = await fixture.approve(event.id, {}, once)
    const again = await fixture.approve(event.id, {}, once)
    expect(first.status).toBe(409)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([409, first.text, 'true'])
  })

  it('answers 409 for another body, and seals nothing', async () => {
    const [one, other] = [await fixture.record(), await fixture.record()]
    const once = { 'idempotency-key': 'approve-3' }
    await fixture.approve(one.id, {}, once)
    const { status, body } = await fixture.approve(one.id, { result: 'rejected' }, once)
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect(body.error.message).toContain('another request')
    // Another event is another path, for which the key is unused.
    expect((await fixture.approve(other.id, {}, once)).status).toBe(200)
  })

  it('is not used up by a missing permission', async () => {
    const event = await fixture.record()
    const readOnly = await fixture.server.world.key(fixture.center, { scopes: ['proof:read'] })
    const path = `/api/v1/decision-events/${event.id}/approvals`
    const body = { ...approver('kim'), result: 'approved' }
    const headers = { 'idempotency-key': 'approve-4' }
    const refused = await fixture.server.call('POST', path, { token: readOnly, body, headers })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await fixture.v1('POST', path, body, headers)).status).toBe(200)
  })

  it('is scoped to the API key', async () => {
    const event = await fixture.record()
    const other = await fixture.server.world.key(fixture.center)
    const headers = { 'idempotency-key': 'approve-5' }
    await fixture.approve(event.id, {}, headers)
    const answer = await fixture.server.call('POST', `/api/v1/decision-events/${event.id}/approvals`, {
      token: other,
      headers,
      body: { ...approver('kim'), result: 'approved' },
    })
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([409, null])
  })
})

describe('404 NOT_FOUND', () => {
  it.each([
    ['that does not exist', () => newId('decisionEvent')],
    ['that is malformed', () => 'anything'],
    ['of another type', () => newId('evidence')],
  ])('for an id %s', async (_, id) => {
    const { status, body } = await fixture.approve(id())
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('for an event of another center, which does not change', async () => {
    const event = await fixture.record()
    const elsewhere = await openProofFixture(fixture.server)
    expect((await elsewhere.approve(event.id)).status).toBe(404)
    expect(await standing(event.decisionId)).toMatchObject({ status: 'recorded' })
  })
})

describe('409 CONFLICT', () => {
  it('when the decision is sealed already, for every approver and result', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    for (const body of [{}, approver('lee'), { result: 'rejected' }]) {
      const { status, body: answer } = await fixture.approve(event.id, body)
      expect([status, answer.error.code]).toEqual([409, 'CONFLICT'])
      expect(answer.error.message).toContain('sealed')
    }
    expect(await standing(event.decisionId)).toMatchObject({ status: 'sealed' })
  })
})

describe('422 VALIDATION_ERROR', () => {
  it.each([
    ['no approver', { approver: undefined }, 'approver'],
    ['no approver id', { approver: { type: 'human' } }, 'approver.id'],
    ['an approver of another type', { approver: { id: 'x', type: 'ai_agent' } }, 'approver.type'],
    ['no result', { result: undefined }, 'result'],
    ['an unknown result', { result: 'maybe' }, 'result'],
    ['an unknown field', { sealedAt: '2026-01-01T00:00:00Z' }, 'sealedAt'],
    ['a reason that is not a string', { reason: 5 }, 'reason'],
  ])('%s', async (_, overrides, path) => {
    const event = await fixture.record()
    const { status, body } = await fixture.approve(event.id, overrides)
    expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', path])
    expect(await standing(event.decisionId)).toMatchObject({ status: 'recorded' })
  })
})

describe('422 CHAIN_BROKEN', () => {
  it('when the chain is marked as broken, and the event stays recorded', async () => {
    const broken = await openProofFixture(fixture.server)
    const [sealed, waiting] = [await broken.record(), await broken.record()]
    await broken.approve(sealed.id)
    await fixture.server.world.query(
      `update cell.chain_heads set broken_at = 0 where center_id = $1 and domain = 'proof'`,
      [broken.center.id],
    )
    const { status, body } = await broken.approve(waiting.id)
    expect([status, body.error.code, body.error.details]).toEqual([
      422,
      'CHAIN_BROKEN',
      { domain: 'proof', brokenAt: 0 },
    ])
    const list = await broken.v1('GET', '/api/v1/decision-events?status=recorded')
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([waiting.id])
  })
})
