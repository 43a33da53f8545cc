import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { checkNote, parseNote } from '@countersign/proof/signed-note.ts'
import { leafHash, verifyConsistency, verifyInclusion } from '@countersign/proof/tree.ts'
import { logKeyFor, parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Receipt } from '../../../../sealing/log-keys.ts'

let server: TestServer
let fixture: ProofFixture
let policy: TrustPolicy

beforeAll(async () => {
  server = await startServer({ fence: true })
  fixture = await openProofFixture(server)
  policy = parsePolicy((await server.call('GET', '/.well-known/countersign-log.json')).body.policy)
})
afterAll(() => server.close())

const bytes = (hash: string) => Buffer.from(hash, 'base64')

/** Verifies with only the receipt, the hash and the policy. */
function holds({ log, index, size, inclusionProof, checkpoint }: Receipt, hash: string): boolean {
  const note = parseNote(checkpoint)
  const said = parseCheckpoint(note.text)
  const keys = policy.logs.flatMap(({ key }) => logKeyFor(key, log) ?? [])
  const { signedBy, bad } = checkNote(note, keys)
  return (
    said.origin === log &&
    said.size === size &&
    signedBy.length === 1 &&
    bad.length === 0 &&
    verifyInclusion(leafHash(hash), index, size, inclusionProof.map(bytes), said.root)
  )
}

describe('receipts', () => {
  it('of 150 concurrent approvals verify offline, each with its own index', async () => {
    const events = await Promise.all(Array.from({ length: 150 }, () => fixture.record()))
    const answers = await Promise.all(events.map(({ id }) => fixture.approve(id)))
    const sealed = answers.map(({ body }) => body.data as { receipt: Receipt; sealedHash: string })
    expect(sealed.every(({ receipt, sealedHash }) => holds(receipt, sealedHash))).toBe(true)
    expect(sealed.map(({ receipt }) => receipt.index).toSorted((a, b) => a - b)).toEqual(sealed.map((_, at) => at))
    // The receipt does not verify for another name.
    const [one, other] = sealed as [(typeof sealed)[0], (typeof sealed)[0]]
    expect(holds(one.receipt, other.sealedHash)).toBe(false)
    expect(holds({ ...one.receipt, index: other.receipt.index }, one.sealedHash)).toBe(false)
  })

  it('are equal in a replayed answer, and later lead to a larger tree', async () => {
    const event = await fixture.record()
    const key = { 'Idempotency-Key': 'receipt-1' }
    const first = (await fixture.approve(event.id, {}, key)).body.data
    expect((await fixture.approve(event.id, {}, key)).body.data).toEqual(first)
    await fixture.decide()
    const evidence = (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}`)).body.data
    expect(evidence.receipt.size).toBe(first.receipt.size + 1)
    expect(holds(evidence.receipt, first.sealedHash)).toBe(true)
    const path = `/api/v1/chains/proof/consistency?from=${first.receipt.size}`
    const { from, to, consistencyProof } = (await fixture.v1('GET', path)).body.data
    const [older, newer] = [first.receipt, evidence.receipt].map((receipt) =>
      parseCheckpoint(parseNote(receipt.checkpoint).text),
    ) as [ReturnType<typeof parseCheckpoint>, ReturnType<typeof parseCheckpoint>]
    expect(verifyConsistency(from, older.root, to, newer.root, consistencyProof.map(bytes))).toBe(true)
    expect(verifyConsistency(from, newer.root, to, newer.root, consistencyProof.map(bytes))).toBe(false)
  })

  it('are part of a decide answer once the decision is sealed', async () => {
    const { body } = await fixture.decide()
    expect(holds(body.data.receipt, body.data.dpu.chainHash)).toBe(true)
    const strict = await openProofFixture(server)
    await strict.policy({ humanReview: true })
    expect((await strict.decide()).body.data.receipt).toBeNull()
  })
})

describe('exports', () => {
  it('are logged: intact, in the chain and signed, for a decision and for a DPU with its changes', async () => {
    const event = await fixture.record()
    await fixture.approve(event.id)
    const dpu = await fixture.unit()
    await fixture.raise(dpu.id, 'AUDIT_READY')
    const exports = [
      (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body,
      (await fixture.platform('GET', `/api/dpu/${dpu.id}/export`)).body,
    ]
    for (const document of exports) {
      expect(document.verification.anchoring).toBe('logged')
      const { intact, inChain, signed, witnessed, ok } = verifyProof(document, policy)
      expect([intact.status, inChain.status, signed.status, witnessed.status, ok]).toEqual([
        'yes',
        'yes',
        'yes',
        'unknown',
        true,
      ])
    }
    expect(exports[1].verification.historyProofs).toHaveLength(1)
  })
})
