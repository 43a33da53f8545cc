/** The constant answers of the bare references. */
import { approval, recordedEvent } from './bodies.ts'

export const approvalAnswer = {
  data: {
    approvalId: 'apr_01kz9x4q8hfx5r3v7t2b6n0m1c',
    decisionId: 'dec_01kz9x4q8hfx5r3v7t2b6n0m1c',
    ...approval,
    evidenceLevel: 'AUDIT_READY',
    sealedHash: `sha256:${'0'.repeat(64)}`,
    sealedAt: '2026-11-15T09:30:00.000Z',
    createdAt: '2026-11-15T09:30:00.000Z',
    // The length that a proof has in a chain of about ten thousand entries.
    receipt: {
      log: 'bench.example/c/1/proof',
      index: 20_000,
      size: 20_001,
      inclusionProof: Array(14).fill('aTO+q/TrTpr4Menu/260FJj9v9fvrCcQEDMfb4ymDhw='),
      checkpoint: `bench.example/c/1/proof\n20001\naTO+q/TrTpr4Menu/260FJj9v9fvrCcQEDMfb4ymDhw=\n\n— bench.example/c/1/proof ${'A'.repeat(92)}\n`,
    },
  },
}

export const eventAnswer = {
  data: {
    id: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c',
    decisionId: 'dec_01kz9x4q8hfx5r3v7t2b6n0m1c',
    status: 'recorded',
    ...recordedEvent,
    actionDigest: `sha256:${'0'.repeat(64)}`,
    actionSalt: 'A'.repeat(43),
    occurredAt: '2026-11-15T09:30:00.000Z',
    evidence: { id: 'evd_01kz9x4q8hfx5r3v7t2b6n0m1c', status: 'pending', chainHash: null, chainIndex: null },
    createdAt: '2026-11-15T09:30:00.000Z',
    updatedAt: '2026-11-15T09:30:00.000Z',
  },
}
