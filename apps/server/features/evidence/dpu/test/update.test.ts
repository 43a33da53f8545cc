import { type EvidenceLevel, evidenceLevels } from '@countersign/contract/enums.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const put = (id: string, body: unknown, headers = {}) => fixture.platform('PUT', `/api/dpu/${id}`, body, headers)
const get = async (id: string) => {
  const { people: _, ...dpu } = (await fixture.platform('GET', `/api/dpu/${id}`)).body.data
  return dpu
}
const history = async ({ v1 }: ProofFixture = fixture) => (await v1('GET', '/api/v1/chains/history/entries')).body ?? []

async function dpuAt(level: EvidenceLevel): Promise<string> {
  const { id } = await fixture.unit()
  if (level !== 'DRAFT') await fixture.raise(id, level)
  return id
}

describe('every step from one level to another: 200, 400 INVALID_EVIDENCE_LEVEL or 403 DPU_SEALED', () => {
  const steps = evidenceLevels.flatMap((from) => evidenceLevels.map((to) => [from, to] as const))
  const rank = (level: EvidenceLevel) => evidenceLevels.indexOf(level)

  it.each(steps)('%s to %s', async (from, to) => {
    const id = await dpuAt(from)
    const before = await get(id)
    const { status, body } = await fixture.raise(id, to)
    if (from === 'AUDIT_READY') {
      expect([status, body.error.code]).toEqual([403, 'DPU_SEALED'])
      expect(await get(id)).toEqual(before)
    } else if (rank(to) <= rank(from)) {
      expect([status, body.error.code]).toEqual([400, 'INVALID_EVIDENCE_LEVEL'])
      expect(body.error.message).toContain(from)
      expect(await get(id)).toEqual(before)
    } else {
      expect(status).toBe(200)
      expect(await get(id)).toMatchObject(body.data)
      const sealed = to === 'AUDIT_READY'
      expect(body.data).toMatchObject({ evidenceLevel: to, status: sealed ? 'sealed' : 'pending' })
      expect(body.data.sealedAt).toEqual(sealed ? body.data.updatedAt : null)
      // The chained entry does not change: a change is its own entry.
      for (const fixed of ['chainHash', 'chainIndex', 'previousHash', 'timestamp', 'createdAt', 'content'])
        expect(body.data[fixed]).toEqual(before[fixed])
    }
  })
})

describe('200', () => {
  it('replaces the metadata', async () => {
    const { id } = await fixture.unit()
    const first = await put(id, { metadata: { a: 1, nested: { b: [true, null] } } })
    expect([first.status, first.body.data.metadata]).toEqual([200, { a: 1, nested: { b: [true, null] } }])
    expect((await put(id, { metadata: { c: 'only this' } })).body.data.metadata).toEqual({ c: 'only this' })
    expect((await get(id)).metadata).toEqual({ c: 'only this' })
  })

  it('changes both at once, metadata first, because an AUDIT_READY record cannot change', async () => {
    const own = await openProofFixture(fixture.server)
    const dpu = await own.unit()
    const { body } = await own.platform('PUT', `/api/dpu/${dpu.id}`, {
      evidenceLevel: 'AUDIT_READY',
      metadata: { reason: 'Seen.' },
    })
    expect(body.data).toMatchObject({ evidenceLevel: 'AUDIT_READY', metadata: { reason: 'Seen.' }, status: 'sealed' })
    const entries = await history(own)
    expect(entries.map(({ content }: { content: { type: string } }) => content.type)).toEqual(['metadata', 'level'])
  })

  it('changes nothing for an empty change', async () => {
    const dpu = await fixture.unit()
    const before = (await history()).length
    for (const body of [{}, undefined]) {
      const answer = await put(dpu.id, body)
      expect([answer.status, answer.body.data]).toEqual([200, dpu])
    }
    expect(await history()).toHaveLength(before)
  })

  it('changes once per Idempotency-Key', async () => {
    const { id } = await fixture.unit()
    const once = { 'idempotency-key': 'raise-1' }
    const [first, again] = [
      await put(id, { evidenceLevel: 'DOCUMENTED' }, once),
      await put(id, { evidenceLevel: 'DOCUMENTED' }, once),
    ]
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true'])
    expect((await put(id, { evidenceLevel: 'AUDIT_READY' }, once)).status).toBe(409)
  })

  it('permits an INSTRUCTOR to raise to DOCUMENTED and to change metadata', async () => {
    const { id } = await fixture.unit()
    expect((await fixture.raise(id, 'DOCUMENTED', fixture.instructorToken)).status).toBe(200)
    const answer = await fixture.server.call('PUT', `/api/dpu/${id}`, {
      token: fixture.instructorToken,
      body: { metadata: { x: 1 } },
    })
    expect(answer.status).toBe(200)
  })
})

describe('403 INSUFFICIENT_ROLE', () => {
  it('when an INSTRUCTOR raises to AUDIT_READY, also together with metadata, which do not change', async () => {
    const { id } = await fixture.unit()
    const { status, body } = await fixture.server.call('PUT', `/api/dpu/${id}`, {
      token: fixture.instructorToken,
      body: { evidenceLevel: 'AUDIT_READY', metadata: { x: 1 } },
    })
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect(await get(id)).toMatchObject({ evidenceLevel: 'DRAFT', metadata: {} })
  })
})

describe('403 DPU_SEALED', () => {
  it('for any change of an AUDIT_READY record, and is not stored for the Idempotency-Key', async () => {
    const id = await dpuAt('AUDIT_READY')
    const before = await get(id)
    const once = { 'idempotency-key': 'sealed-1' }
    for (const body of [{ metadata: { x: 1 } }, { evidenceLevel: 'DRAFT' }, {}]) {
      const answer = await put(id, body, once)
      expect([answer.status, answer.body.error.code]).toEqual([403, 'DPU_SEALED'])
      expect(answer.headers.get('idempotency-replayed')).toBeNull()
    }
    expect(await get(id)).toEqual(before)
  })

  it('for the evidence of a decision, which is sealed from the start', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const { status, body } = await put(event.evidence.id.replace('evd_', 'dpu_'), { metadata: {} })
    expect([status, body.error.code]).toEqual([403, 'DPU_SEALED'])
  })
})

describe('404 DPU_NOT_FOUND', () => {
  it('for an id that does not exist or belongs to another center', async () => {
    const elsewhere = await openProofFixture(fixture.server)
    for (const id of [newId('dpu'), 'x', (await elsewhere.unit()).id]) {
      const { status, body } = await put(id, { evidenceLevel: 'DOCUMENTED' })
      expect([status, body.error.code]).toEqual([404, 'DPU_NOT_FOUND'])
    }
  })
})

describe('422 CHAIN_BROKEN', () => {
  it('for a raise to AUDIT_READY of a record whose own entry is deleted', async () => {
    const other = await openProofFixture(fixture.server)
    const { id } = await other.unit()
    const forger = new pg.Client({ connectionString: fixture.server.services.config.databaseUrl })
    await forger.connect()
    await forger.query('set session_replication_role = replica')
    await forger.query('delete from cell.chain_entries where center_id = $1', [other.center.id])
    await forger.end()
    const { status, body } = await other.raise(id, 'AUDIT_READY')
    expect([status, body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect(body.error.message).toContain('its chain entry is missing')
    expect(await history(other)).toEqual([])
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each([[{ evidenceLevel: 'SEALED' }], [{ metadata: 'x' }], [{ metadata: [] }], [{ content: 'other' }]])(
    '%j',
    async (body) => {
      const { id } = await fixture.unit()
      const answer = await put(id, body)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})

describe('policies', () => {
  it('422 POLICY_VIOLATION for a DPU without a reason, where a policy requires one', async () => {
    const own = await openProofFixture(fixture.server)
    await own.policy({ minimumEvidenceLevel: 'DOCUMENTED' }, { name: 'Say why' })
    const { id } = await own.unit()
    const refused = await own.raise(id, 'DOCUMENTED')
    expect([refused.status, refused.body.error.code]).toEqual([422, 'POLICY_VIOLATION'])
    expect(refused.body.error.message).toContain('is missing "why"')
    const body = { evidenceLevel: 'DOCUMENTED', metadata: { reason: 'Discussed with the family.' } }
    expect((await own.platform('PUT', `/api/dpu/${id}`, body)).status).toBe(200)
  })

  it('dual approval: 422 in one step, 409 for the same person, 200 for another', async () => {
    const own = await openProofFixture(fixture.server)
    await own.policy({ dualApproval: true })
    const { id } = await own.unit()
    expect((await own.raise(id, 'AUDIT_READY')).body.error.code).toBe('POLICY_VIOLATION')
    expect((await own.raise(id, 'DOCUMENTED')).status).toBe(200)
    const again = await own.raise(id, 'AUDIT_READY')
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
    const other = await fixture.server.world.person()
    await fixture.server.world.member(other, own.center, 'ADMIN')
    const { accessToken } = await fixture.server.signIn(other, own.center.domain)
    expect((await own.raise(id, 'AUDIT_READY', accessToken)).status).toBe(200)
  })

  it('match the subject and the creator of a DPU, and no field that it lacks', async () => {
    const own = await openProofFixture(fixture.server)
    await own.policy({ policyRequired: true }, { match: { actionTypes: ['lms-*'], actorTypes: ['human'] } })
    await own.policy({ policyRequired: true }, { match: { eventTypes: ['agent_execution'] } })
    const [attendance, other] = [await own.unit({ referenceType: 'lms-attendance' }), await own.unit()]
    expect((await own.raise(attendance.id, 'DOCUMENTED')).body.error.code).toBe('POLICY_VIOLATION')
    expect((await own.raise(other.id, 'DOCUMENTED')).status).toBe(200)
  })

  it('are named in the export and in the responsibility', async () => {
    const own = await openProofFixture(fixture.server)
    const { id: policyId, version, digest } = await own.policy({ humanReview: true })
    const { id } = await own.unit()
    await own.raise(id, 'DOCUMENTED')
    const named = [{ id: policyId, version, digest }]
    const { body } = await own.platform('GET', `/api/dpu/${id}/export`)
    expect(body.evidence.history[0].policies).toEqual(named)
    expect((await own.platform('GET', `/api/dpu/${id}/responsibility`)).body.data.why.policies).toEqual(named)
  })
})
