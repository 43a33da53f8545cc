/** The reference for ingest: a Fastify route with the same schemas and a constant reply, and nothing else. */
import { DecisionEvent, NewDecisionEvent } from '@countersign/contract/decision-events.ts'
import Fastify from 'fastify'
import { Type } from 'typebox'

const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } })
const constant = {
  data: {
    id: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c',
    decisionId: 'dec_01kz9x4q8hfx5r3v7t2b6n0m1c',
    type: 'ai_recommendation',
    status: 'recorded',
    actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
    action: {
      type: 'plan.adjust',
      description: 'Two sessions a week',
      input: { client: 'c-102' },
      output: { sessions: 2 },
    },
    aiContext: {
      model: 'planner-3',
      provider: 'in-house',
      confidence: 0.92,
      reasoning: 'Progress slowed in week six.',
    },
    tags: ['care-plan'],
    occurredAt: '2026-11-15T09:30:00.000Z',
    evidence: { id: 'evd_01kz9x4q8hfx5r3v7t2b6n0m1c', status: 'pending', chainHash: null, chainIndex: null },
    createdAt: '2026-11-15T09:30:00.000Z',
    updatedAt: '2026-11-15T09:30:00.000Z',
  },
}
app.post(
  '/api/v1/decision-events',
  { schema: { body: NewDecisionEvent, response: { 201: Type.Object({ data: DecisionEvent }) } } },
  (_request, reply) => reply.code(201).send(constant),
)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
