/** The reference for ingest: a Fastify route with the same schemas and a constant reply, and nothing else. */
import { DecisionEvent, NewDecisionEvent } from '@countersign/contract/decision-events.ts'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { eventAnswer } from './bare-answers.ts'

const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } })
app.post(
  '/api/v1/decision-events',
  { schema: { body: NewDecisionEvent, response: { 201: Type.Object({ data: DecisionEvent }) } } },
  (_request, reply) => reply.code(201).send(eventAnswer),
)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
