/** The reference for sealing: a Fastify route with the same schemas and a constant reply, and nothing else. */
import { addApproval } from '@countersign/contract/evidence.ts'
import Fastify from 'fastify'

const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } })
const constant = {
  data: {
    approvalId: 'apr_01kz9x4q8hfx5r3v7t2b6n0m1c',
    decisionId: 'dec_01kz9x4q8hfx5r3v7t2b6n0m1c',
    approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
    result: 'approved',
    reason: 'Agrees with my own assessment.',
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
const { params, body } = addApproval.spec
app.post(
  '/api/v1/decision-events/:id/approvals',
  { schema: { params, body, response: { 200: addApproval.bodies[200] } } },
  (_request, reply) => reply.send(constant),
)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
