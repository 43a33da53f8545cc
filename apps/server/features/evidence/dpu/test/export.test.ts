import { hash } from 'node:crypto'
import { verifyExport } from '@countersign/proof/verify-export.ts'
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

const exportOf = (id: string) => fixture.platform('GET', `/api/dpu/${id}/export`)

describe('200', () => {
  it('is a JSON-LD document that a third party can verify, with the content in clear', async () => {
    const dpu = await fixture.unit({ content: 'Attendance confirmed', referenceId: 'a-1', tags: ['t'] })
    const { status, headers, body } = await exportOf(dpu.id)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/ld+json'])
    expect(body).toMatchObject({
      '@type': 'DecisionProof',
      version: '2.0',
      evidence: {
        id: dpu.id,
        decisionId: dpu.id,
        status: 'pending',
        evidenceLevel: 'DRAFT',
        content: 'Attendance confirmed',
        referenceType: 'demo',
        referenceId: 'a-1',
        tags: ['t'],
        vertical: 'education',
        createdBy: { id: fixture.admin.actorId, role: 'ADMIN', type: 'human' },
        metadata: {},
        chain: { hash: `sha256:${dpu.chainHash}`, domain: 'dpu' },
        sealedAt: dpu.timestamp,
      },
      verification: { chainDomain: 'dpu', verifyUrl: `http://countersign.test/verify/${dpu.id}` },
    })
    expect(body.evidence).not.toHaveProperty('history')
    expect(verifyExport(body)).toMatchObject({ valid: true, hash: `sha256:${dpu.chainHash}`, undisclosed: [] })
  })

  it('shows later changes with their actors, and verifies after each of them', async () => {
    const dpu = await fixture.unit()
    const states: [object, string][] = [
      [{ metadata: { note: 1 } }, 'pending'],
      [{ evidenceLevel: 'DOCUMENTED' }, 'pending'],
      [{ metadata: { reason: 'Seen.' } }, 'pending'],
      [{ evidenceLevel: 'AUDIT_READY' }, 'sealed'],
    ]
    for (const [change, status] of states) {
      await fixture.platform('PUT', `/api/dpu/${dpu.id}`, change)
      const { body } = await exportOf(dpu.id)
      expect(verifyExport(body)).toMatchObject({ valid: true })
      expect(body.evidence).toMatchObject({ ...change, status })
    }
    const { body } = await exportOf(dpu.id)
    expect(body.evidence.history).toMatchObject([
      { type: 'metadata', target: dpu.id, metadata: { note: 1 }, by: { id: fixture.admin.actorId, role: 'ADMIN' } },
      { type: 'level', evidenceLevel: 'DOCUMENTED' },
      { type: 'metadata', metadata: { reason: 'Seen.' } },
      { type: 'level', evidenceLevel: 'AUDIT_READY' },
    ])
    // Earlier levels and metadata cannot be shown as the current ones.
    const older = structuredClone(body)
    older.evidence.history.pop()
    expect(verifyExport(older).valid).toBe(false)
  })

  it('returns the same document of a decision for both operations, with the hashed text', async () => {
    const event = await fixture.record()
    const { sealedHash } = (await fixture.approve(event.id)).body.data
    const ours = await exportOf(event.evidence.id.replace('evd_', 'dpu_'))
    const theirs = await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)
    const { content, ...evidence } = ours.body.evidence
    expect(evidence).toEqual(theirs.body.evidence)
    expect(ours.body.verification).toEqual(theirs.body.verification)
    expect(JSON.parse(content)).toMatchObject({ v: 'dpu-chain-v1', id: event.evidence.id })
    expect(verifyExport(ours.body)).toMatchObject({ valid: true, hash: sealedHash })
    expect(verifyExport({ ...ours.body, evidence: { ...ours.body.evidence, content: '{}' } }).valid).toBe(false)
  })
})

describe('with the texts of policies', () => {
  const texts = (id: string, ...more: [unknown?, Record<string, string>?]) =>
    fixture.platform('GET', `/api/dpu/${id}/export?policies=text`, ...more)

  it('has exactly those that the seal names, in the versions that it names, and none without asking', async () => {
    const policy = await fixture.policy({ humanReview: true }, { approval: { identity: 'claim' } })
    await fixture.policy({ riskThreshold: 1 }, { match: { actionTypes: ['another'] } })
    const event = await fixture.record()
    expect((await fixture.approve(event.id)).status).toBe(200)
    const change = await fixture.platform('PATCH', `/api/policies/${policy.id}`, { name: 'Renamed since' })
    expect(change.status).toBe(200)
    const id = event.evidence.id.replace('evd_', 'dpu_')
    const { status, body } = await texts(id)
    expect(status).toBe(200)
    expect(body.policyTexts.map((text: string) => `sha256:${hash('sha256', text)}`)).toEqual(
      body.evidence.policies.map(({ digest }: { digest: string }) => digest),
    )
    expect(body.evidence.policies).toMatchObject([{ id: policy.id, version: policy.version, digest: policy.digest }])
    expect(JSON.parse(body.policyTexts[0])).toMatchObject({ guards: { humanReview: true } })
    expect(verifyExport(body)).toMatchObject({ valid: true })
    expect((await exportOf(id)).body).not.toHaveProperty('policyTexts')
  })

  it('has none for a unit, and for a decision without policies', async () => {
    const dpu = await fixture.unit()
    const { status, body } = await texts(dpu.id)
    expect([status, body.policyTexts]).toEqual([200, undefined])
  })

  it('refuses another value', async () => {
    const dpu = await fixture.unit()
    const { status, body } = await fixture.platform('GET', `/api/dpu/${dpu.id}/export?policies=all`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('never through an API key, a public link or by somebody who is no staff', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const byKey = await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export?policies=text`)
    expect(byKey.body).not.toHaveProperty('policyTexts')
    const inPublic = await fixture.v1('GET', `/verify/${event.id}?policies=text`)
    expect(inPublic.text).not.toContain('policyTexts')
    const none = await texts(event.evidence.id.replace('evd_', 'dpu_'), undefined, { authorization: '' })
    expect(none.status).toBe(401)
  })
})

describe('404 DPU_NOT_FOUND', () => {
  it('for an id that does not exist or belongs to another center', async () => {
    const elsewhere = await openProofFixture(fixture.server)
    for (const id of [newId('dpu'), 'x', (await elsewhere.unit()).id]) {
      const { status, body } = await exportOf(id)
      expect([status, body.error.code]).toEqual([404, 'DPU_NOT_FOUND'])
    }
  })
})
