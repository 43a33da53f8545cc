/** The workflows of each vertical in a real server: each completes and leaves a draft that verifies. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AiServer, startAiServer, wording } from '../../../../tests/support/ai-server.ts'
import { type Consumer, startConsumer } from '../../../../tests/support/consumer.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { dayMs, openVerticalFixture, people, type VerticalFixture } from '../../../../tests/support/vertical-fixture.ts'
import { localNetworks } from '../../../../tests/support/webhook-fixture.ts'
import { workflowId } from '../../../../tests/support/workflow-fixture.ts'
import { definitions } from '../all.ts'

const english = { locale: 'en-US', timezone: 'UTC' }
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const dateAgo = (days: number) => daysAgo(days).slice(0, 10)

let server: TestServer
let ai: AiServer
let consumer: Consumer
const fixtures = new Map<string, VerticalFixture>()

beforeAll(async () => {
  ai = await startAiServer()
  consumer = await startConsumer()
  const env = { ...localNetworks, AI_BASE_URL: ai.url, AI_MODEL: 'small-1', AI_API_KEY: 'sk-of-tests' }
  server = await startServer({ env })
  server.services.workflows.start()
  server.services.deliveryWorkers.start()
  await Promise.all(Object.keys(centerData).map(settle))
}, 120_000)
afterAll(async () => {
  await server.close()
  await Promise.all([ai.close(), consumer.close()])
})

async function settle(vertical: string): Promise<void> {
  const fixture = await openVerticalFixture(server, vertical, english)
  fixtures.set(vertical, fixture)
  const hook = { url: consumer.url, events: ['workflow.transitioned'] }
  await server.call('POST', '/api/v1/webhooks', { token: fixture.key, body: hook })
  await centerData[vertical]?.(fixture)
}

/** The data of a center of each vertical. */
const centerData: Record<string, (fixture: VerticalFixture) => Promise<void>> = {
  async rehabilitation({ sessions }) {
    const [therapist = '', steady = '', paused = ''] = people(3)
    await sessions(therapist, steady, 6, 1)
    await sessions(therapist, paused, 8, 20)
  },
  async welfare({ sessions, record }) {
    const [worker = '', resident = ''] = people(2)
    await sessions(worker, resident, 3, 5)
    await sessions(worker, resident, 1, -3)
    const action = { type: 'benefit.extend' }
    await record({ action, tags: ['case'], occurredAt: daysAgo(30) })
    await record({ action, tags: ['case'], occurredAt: daysAgo(3) }, 'approved')
  },
  async education({ sessions, record }) {
    const [teacher = '', learner = ''] = people(2)
    await sessions(teacher, learner, 5, 1)
    for (const [tag, count] of [
      ['attendance:present', 2],
      ['attendance:absent', 2],
    ] as const) {
      for (let index = 1; index <= count; index++) {
        const action = { type: 'attendance.check', input: { learner: 'L-7' } }
        await record({ action, tags: [tag], occurredAt: daysAgo(index) })
      }
    }
  },
  async pharmacy({ record }) {
    const dispense = (reference: string, daysSupply: number, ago: number) =>
      record({
        action: { type: 'dispense', input: { reference, daysSupply } },
        tags: ['dispensed'],
        occurredAt: daysAgo(ago),
      })
    await dispense('R-1', 30, 40)
    await dispense('R-2', 10, 8)
    const intervention = { action: { type: 'dose.adjust' }, tags: ['intervention'], occurredAt: daysAgo(2) }
    await record(intervention, 'rejected')
    await record(intervention, 'rejected')
    await record(intervention, 'approved')
  },
  async commerce({ record }) {
    const input = { sku: 'TEA-1', onHand: 10, dailySales: 2, leadDays: 5 }
    await record({ action: { type: 'stock.count', input }, tags: ['stock'], occurredAt: daysAgo(0.1) })
    await record({ action: { type: 'refund' }, tags: ['payment'], occurredAt: daysAgo(2) })
  },
  async mentoring({ sessions }) {
    const [mentor = '', mentee = '', seen = ''] = people(3)
    await sessions(mentor, mentee, 3, 1)
    await sessions(mentor, seen, 1, 9)
  },
  async interior({ sessions, record }) {
    const [designer = '', client = ''] = people(2)
    await sessions(designer, client, 2, 1)
    await record({ action: { type: 'estimate.send' }, tags: ['estimate'], occurredAt: daysAgo(20) })
  },
}

const parameters: Record<string, object> = {
  'education.term-report': { from: dateAgo(60), to: dateAgo(1) },
  'education.tuition-refund': {
    ...{ learner: 'Lee Haneul', on: dateAgo(10), firstDay: dateAgo(20), lastDay: dateAgo(-70) },
    ...{ paid: 900_000, months: 3, month: 1, taught: 4, total: 12 },
  },
  'interior.estimate-review': {
    project: 'P-31',
    budget: 3_000_000,
    lines: [{ item: 'Oak floor', quantity: 42, unitPrice: 90_000, referencePrice: 75_000 }],
  },
}

/** Sentences that depend on the data of the center. */
const findings: Record<string, RegExp> = {
  'rehabilitation.weekly-progress': /sessions: 6 · clients: 1[\s\S]*had no sessions \(usually 2 a week\)/,
  'rehabilitation.session-gaps': /20 days ago\), sessions in the period: 8/,
  'welfare.case-check': /open cases from the last 90 days: 1 [\s\S]*overdue: benefit\.extend, open for 30 days \(evt_/,
  'welfare.visit-brief': /visits in the 90 days before: 3[\s\S]*days since the last visit: 8/,
  'education.attendance-digest':
    /lessons booked: 5 · present: 2 · absent: 2 · not recorded: 1[\s\S]*student L-7 was often absent \(2\)/,
  'education.tuition-refund': /refund at least 750,000 won[\s\S]*1\/2 of that month/,
  'education.term-report': /lessons: 5 \(4 hours\) · students: 1/,
  'pharmacy.refill-review': /R-1: ran out on .*10 days ago[\s\S]*R-2: runs out on .*2 days left/,
  'pharmacy.intervention-report': /interventions: 3 \(approved: 1 · refused: 2[\s\S]*dose\.adjust: 2 of 3 refused/,
  'commerce.stock-decision': /TEA-1: order 34; in stock: 10, enough for 5 days/,
  'commerce.payment-failure-review': /payment decisions in 30 days: 1/,
  'mentoring.session-follow-up':
    /pairs that met: 1 · with a session booked in the next 30 days: 0[\s\S]*sessions in 90 days: 3/,
  'mentoring.mentor-balance': /sessions: 4 · mentees: 2 · mentors: 1/,
  'interior.estimate-review': /780000 KRW over budget[\s\S]*Oak floor: 20% above/,
  'interior.project-digest': /consultations: 2 [\s\S]*designers: 1[\s\S]*estimates waiting for 10 days or more: 1/,
}

/** Appointments and attendance of the period, of the draft's own period. */
const countedRows: Record<string, number> = {
  'rehabilitation.weekly-progress': 6,
  'rehabilitation.session-gaps': 14,
  'welfare.visit-brief': 3,
  'education.attendance-digest': 5,
  'education.term-report': 5,
  'mentoring.session-follow-up': 1,
  'mentoring.mentor-balance': 4,
  'interior.project-digest': 2,
}

const fixtureOf = (vertical: string) => fixtures.get(vertical) as VerticalFixture
const transitionsOf = (executionId: string) =>
  consumer.received.map(({ envelope }) => envelope.data).filter((data) => data.executionId === executionId)

async function published(executionId: string, count: number) {
  for (let tries = 0; tries < 400 && transitionsOf(executionId).length < count; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return transitionsOf(executionId)
}

describe.each(definitions.map(({ key, vertical, steps }) => ({ key, vertical, steps })))(
  '$key',
  ({ key, vertical, steps }) => {
    const asksModel = steps.some(({ name }) => name.startsWith('summarize-'))
    let dpuId: string
    let executionId: string

    it('completes and leaves a draft with its basis and findings', async () => {
      const fixture = fixtureOf(vertical)
      executionId = await fixture.run(key, parameters[key])
      const ended = await fixture.ended(executionId)
      expect(ended).toMatchObject({ status: 'COMPLETED', failure: null, evidenceLevel: 'DRAFT' })
      expect(ended.steps.map(({ name, status }) => [name, status])).toEqual(
        steps.map(({ name }) => [name, 'COMPLETED']),
      )
      dpuId = ended.dpuId as string
      const { data } = (await fixture.platform('GET', `/api/dpu/${dpuId}`)).body
      expect(data).toMatchObject({ evidenceLevel: 'DRAFT', vertical, domain: 'dpu' })
      expect(data.content).toMatch(findings[key] as RegExp)
      expect(data.content).toMatch(/^Period: .* \(UTC\)$/m)
      expect(data.content).toMatch(/This is a draft\. It counts only after someone has reviewed it/)
      expect(data.content.includes('written by the model small-1')).toBe(asksModel)
    })

    it('shows a reviewer the rows that it counted, with names, and none of them in the record', async () => {
      const fixture = fixtureOf(vertical)
      const { counted } = (await fixture.platform('GET', `/api/workflows/executions/${executionId}`)).body.data
      const { data } = (await fixture.platform('GET', `/api/dpu/${dpuId}`)).body
      expect(data.metadata).not.toHaveProperty('counted')
      expect(data.metadata.figures).not.toHaveProperty('counted')
      expect(counted?.total ?? 0).toBe(countedRows[key] ?? 0)
      const { firstDay, lastDay } = data.metadata.period
      const days: string[] = (counted?.rows ?? []).map(({ at }: { at: string }) => at.slice(0, 10))
      expect(days.filter((day) => day < firstDay || day > lastDay)).toEqual([])
    })

    it('names the workflow and the model in the responsibility of the draft', async () => {
      const { data } = (await fixtureOf(vertical).platform('GET', `/api/dpu/${dpuId}/responsibility`)).body
      expect(data.why.reason).toBeTruthy()
      expect(data.how).toMatchObject({
        method: 'workflow',
        workflowId: workflowId(key),
        model: asksModel ? 'small-1' : null,
        confidence: asksModel ? 0.8 : null,
        evidenceLevel: 'DRAFT',
      })
    })

    it('leaves a draft that verifies in the chain', async () => {
      const fixture = fixtureOf(vertical)
      expect((await fixture.platform('GET', `/api/dpu/${dpuId}/verify`)).body.data).toMatchObject({ valid: true })
      const chain = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
      expect(chain.body.data).toMatchObject({ valid: true })
    })

    it('publishes its start and its end to webhooks', async () => {
      const transitions = await published(executionId, 2)
      expect(transitions.map(({ from, to }) => [from, to])).toEqual([
        [null, 'RUNNING'],
        ['RUNNING', 'COMPLETED'],
      ])
      expect(transitions[1]).toMatchObject({ workflowId: workflowId(key), dpuId })
    })
  },
)

describe('the input of a model', () => {
  it('holds figures and labels, and no id, name, address or API key', () => {
    expect(ai.asked.length).toBeGreaterThanOrEqual(7)
    const inputs = ai.asked.map(({ body }) => JSON.stringify(body.messages)).join('\n')
    expect(inputs).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(inputs).not.toMatch(/@|L-7|R-1|staff-1|sk-of-tests/)
    for (const { admin } of fixtures.values()) expect(inputs).not.toContain(admin.email)
  })
})

describe('events', () => {
  it('a new booking starts the visit brief', async () => {
    const fixture = fixtureOf('welfare')
    const before = await fixture.platform('GET', `/api/workflows/${workflowId('welfare.visit-brief')}/executions`)
    const instructor = await server.world.person()
    await server.world.member(instructor, fixture.center, 'INSTRUCTOR')
    const monday = new Date(Date.now() + (((8 - new Date().getUTCDay()) % 7) + 7) * dayMs).toISOString().slice(0, 10)
    const body = { instructorId: instructor.actorId, startsAt: `${monday}T10:00:00.000Z` }
    const booked = await fixture.platform('POST', `/api/centers/${fixture.center.id}/bookings`, body)
    expect([booked.status, booked.text]).toEqual([201, expect.any(String)])
    const list = await fixture.platform('GET', `/api/workflows/${workflowId('welfare.visit-brief')}/executions`)
    expect(list.body.data).toHaveLength(before.body.data.length + 1)
    expect(list.body.data[0].trigger).toBe('event')
    const ended = await fixture.ended(list.body.data[0].executionId)
    expect(ended.status).toBe('COMPLETED')
    const dpu = await fixture.platform('GET', `/api/dpu/${ended.dpuId}`)
    expect(dpu.body.data.content).toContain(`visit booked for ${monday}`)
    expect(dpu.body.data.content).toContain('first visit on record')
  })

  it('a failed payment starts its review', async () => {
    const fixture = fixtureOf('commerce')
    const data = { paymentId: 'pay-9', amount: 45_000, currency: 'KRW', reason: 'gateway_timeout' }
    const body = { id: 'pay-9-failed', type: 'payment.failed', data }
    expect((await server.call('POST', '/api/v1/events', { token: fixture.key, body })).status).toBe(202)
    const path = `/api/workflows/${workflowId('commerce.payment-failure-review')}/executions`
    const [execution] = (await fixture.platform('GET', path)).body.data
    expect(execution.trigger).toBe('event')
    const ended = await fixture.ended(execution.executionId)
    const dpu = await fixture.platform('GET', `/api/dpu/${ended.dpuId}`)
    expect(dpu.body.data.content).toContain('payment failed: gateway_timeout, 45000 KRW')
    expect(dpu.body.data.content).toContain('retry the payment')
  })
})

describe('review', () => {
  it('a draft lists the numbers that are not among the figures, and a person raises its level', async () => {
    const fixture = fixtureOf('mentoring')
    ai.behave(wording('There were 4711 pairs.', 0.4))
    const ended = await fixture.ended(await fixture.run('mentoring.session-follow-up'))
    ai.behave(wording())
    const dpu = await fixture.platform('GET', `/api/dpu/${ended.dpuId}`)
    expect(dpu.body.data.content).toContain('Check these numbers, which don’t appear in the figures: 4711')
    const raised = await fixture.platform('PUT', `/api/dpu/${ended.dpuId}`, { evidenceLevel: 'DOCUMENTED' })
    expect([raised.status, raised.body.data?.evidenceLevel]).toEqual([200, 'DOCUMENTED'])
  })
})

describe('a center without data', () => {
  it('gets drafts without findings in its own language, and no model is asked', async () => {
    const before = ai.asked.length
    const fixture = await openVerticalFixture(server, 'rehabilitation')
    for (const key of ['rehabilitation.weekly-progress', 'rehabilitation.session-gaps']) {
      const ended = await fixture.ended(await fixture.run(key))
      expect(ended.status).toBe('COMPLETED')
      const dpu = await fixture.platform('GET', `/api/dpu/${ended.dpuId}`)
      expect(dpu.body.data.content).toContain('주의가 필요한 사항이 없습니다.')
      expect(dpu.body.data.content).toContain('이 문서는 초안입니다.')
    }
    expect(ai.asked).toHaveLength(before)
  })
})
