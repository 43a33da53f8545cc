/** The reference for sealing: a Fastify route with the same schemas and a constant reply, and nothing else. */
import { addApproval } from '@countersign/contract/evidence.ts'
import Fastify from 'fastify'
import { approvalAnswer } from './bare-answers.ts'

const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } })
const { params, body } = addApproval.spec
app.post(
  '/api/v1/decision-events/:id/approvals',
  { schema: { params, body, response: { 200: addApproval.bodies[200] } } },
  (_request, reply) => reply.send(approvalAnswer),
)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
