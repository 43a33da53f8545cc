import { verifyExport } from '@countersign/proof/verify-export.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approver, type ProofFixture, startProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const exportOf = (id: string) => fixture.v1('GET', `/api/v1/evidence/${id}/export`)

describe('200', () => {
  it('is a self-contained JSON-LD document, and not in an envelope', async () => {
    const event = await fixture.record()
    const approved = await fixture.approve(event.id)
    const { status, headers, body } = await exportOf(event.evidence.id)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/ld+json'])
    const hash = approved.body.data.sealedHash
    expect(body).toMatchObject({
      '@context': 'http://countersign.test/schema/decision-proof/v2',
      '@type': 'DecisionProof',
      version: '2.0',
      exportedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      evidence: {
        id: event.evidence.id,
        decisionId: event.decisionId,
        status: 'sealed',
        evidenceLevel: 'AUDIT_READY',
        event: { type: 'ai_recommendation', actor: { id: 'agent-7', type: 'ai_agent' } },
        approval: { approver: { id: 'therapist-4' }, result: 'approved' },
        chain: { hash, previousHash: null, index: 0, domain: 'proof' },
        log: `countersign.test/c/${fixture.center.id}/proof`,
        sealedAt: approved.body.data.sealedAt,
      },
      verification: {
        hashAlgorithm: 'SHA-256',
        preimage: 'dpu-chain-v1',
        chainDomain: 'proof',
        chainIndex: 0,
        chainHash: hash,
        previousHash: null,
        verifyUrl: `http://countersign.test/verify/${event.id}`,
      },
    })
    expect(Object.keys(body.evidence.disclosures).toSorted()).toEqual(Object.keys(body.evidence.commitments).toSorted())
  })

  it('can be verified by a third party without other data', async () => {
    const event = await fixture.record()
    const approved = await fixture.approve(event.id)
    const { text } = await exportOf(event.evidence.id)
    expect(verifyExport(JSON.parse(text))).toEqual({
      valid: true,
      hash: approved.body.data.sealedHash,
      line: null,
      emergency: null,
      problems: [],
      newer: [],
      undisclosed: [],
      passkeys: [null],
      raises: [],
    })
  })

  it('does not verify after a change of any single value', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id, { reason: 'Agreed.' })
    const { body } = await exportOf(event.evidence.id)
    for (const change of [
      (doc: typeof body) => (doc.evidence.event.action.output.sessions = 3),
      (doc: typeof body) => (doc.evidence.approval.approver.name = 'Somebody else'),
      (doc: typeof body) => (doc.evidence.event.actor.type = 'human'),
      (doc: typeof body) => (doc.evidence.sealedAt = doc.evidence.approval.approvedAt = '2020-01-01T00:00:00.000Z'),
      (doc: typeof body) => (doc.evidence.chain.index = doc.verification.chainIndex = 7),
      (doc: typeof body) => (doc.evidence.event.action.added = true),
    ]) {
      const changed = structuredClone(body)
      change(changed)
      expect(verifyExport(changed).valid).toBe(false)
    }
  })

  it('includes any JSON that was decided on', { timeout: 60_000 }, async () => {
    // JSON that the server accepts: no NUL, no lone surrogates, no "__proto__", and -0 is 0.
    const json = fc
      .dictionary(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }),
        { maxKeys: 4 },
      )
      .map((value) => JSON.stringify(value))
      .filter((text) => !text.includes('__proto__'))
      .map((text) => JSON.parse(text))
    await fc.assert(
      fc.asyncProperty(json, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), async (output, name) => {
        const event = await fixture.record({ action: { type: name, output } })
        await fixture.approve(event.id, { ...approver(name, { name }), reason: name })
        const { body } = await exportOf(event.evidence.id)
        expect(verifyExport(body)).toMatchObject({ valid: true, undisclosed: [] })
        expect(body.evidence.event.action).toEqual({ type: name, output })
      }),
      { numRuns: 40 },
    )
  })
})

describe('404 NOT_FOUND', () => {
  it('before it is sealed, and for an id that does not exist', async () => {
    const { evidence } = await fixture.record()
    for (const id of [evidence.id, newId('evidence'), 'x']) {
      const { status, body } = await exportOf(id)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })
})
