/** Webhooks about executions, and events that start executions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebhookFixture, type WebhookFixture } from '../../../../../../tests/support/webhook-fixture.ts'
import { draft, step, workflow, workflowId } from '../../../../../../tests/support/workflow-fixture.ts'
import { StepFailure } from '../definition.ts'

const definitions = [
  workflow({ key: 'goes-well' }),
  workflow({
    key: 'goes-wrong',
    steps: [
      step('refuse', async () => {
        throw new StepFailure('no.', { retry: false })
      }),
    ],
  }),
  workflow({
    key: 'waits',
    steps: [step('wait', ({ signal }) => new Promise((_, no) => signal.addEventListener('abort', no)))],
  }),
  workflow({
    key: 'payments',
    type: 'EVENT',
    event: 'payment.failed',
    steps: [step('write', async ({ event, scheduledFor }) => draft(JSON.stringify({ event, scheduledFor })))],
  }),
  workflow({
    key: 'bookings',
    type: 'EVENT',
    event: 'booking.created',
    steps: [step('write', async ({ event }) => draft(JSON.stringify(event)))],
  }),
  workflow({ key: 'others', type: 'EVENT', event: 'payment.failed', vertical: 'pharmacy' }),
]
let fixture: WebhookFixture
beforeAll(async () => {
  fixture = await startWebhookFixture({ definitions })
  fixture.server.services.workflows.start()
  await fixture.register({ events: ['workflow.transitioned'] })
})
afterAll(() => fixture.close())

interface Transition {
  readonly executionId: string
  readonly from: string | null
  readonly to: string
  readonly dpuId: string | null
}

const received = (executionId: string): Transition[] =>
  fixture.consumer.received
    .map(({ envelope }) => envelope.data as unknown as Transition)
    .filter((data) => data.executionId === executionId)

async function untilReceived(executionId: string, count: number): Promise<Transition[]> {
  for (let tries = 0; tries < 400 && received(executionId).length < count; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  // Deliveries have no guaranteed order.
  return received(executionId).toSorted((a, b) => Number(b.from === null) - Number(a.from === null))
}

const execute = async (key: string): Promise<string> =>
  (await fixture.platform('POST', `/api/workflows/${workflowId(key)}/execute`, {})).body.data.executionId

type Run = { executionId: string; status: string; trigger: string; dpuId: string }
async function executionsOf(key: string, count: number): Promise<Run[]> {
  for (let tries = 0; ; tries++) {
    const { data } = (await fixture.platform('GET', `/api/workflows/${workflowId(key)}/executions`)).body
    if ((data.length >= count && data.every((each: Run) => each.status !== 'RUNNING')) || tries > 400) return data
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

describe('workflow.transitioned', () => {
  it('is published when an execution starts and completes, with its draft', async () => {
    const executionId = await execute('goes-well')
    const [began, ended] = await untilReceived(executionId, 2)
    const common = { executionId, workflowId: workflowId('goes-well'), at: expect.any(String) }
    expect(began).toEqual({ ...common, from: null, to: 'RUNNING', dpuId: null })
    expect(ended).toEqual({ ...common, from: 'RUNNING', to: 'COMPLETED', dpuId: expect.stringMatching(/^dpu_/) })
    expect(received(executionId)).toHaveLength(2)
  })

  it('is published when an execution fails and when it is canceled, with the unit that says so', async () => {
    const failed = await execute('goes-wrong')
    expect((await untilReceived(failed, 2)).map(({ to, dpuId }) => [to, dpuId])).toEqual([
      ['RUNNING', null],
      ['FAILED', expect.stringMatching(/^dpu_/)],
    ])
    const canceled = await execute('waits')
    await fixture.platform('POST', `/api/workflows/executions/${canceled}/cancel`)
    expect((await untilReceived(canceled, 2)).map(({ to, dpuId }) => [to, dpuId])).toEqual([
      ['RUNNING', null],
      ['CANCELED', expect.stringMatching(/^dpu_/)],
    ])
  })
})

describe('an event', () => {
  it('starts the workflows of the vertical that name it, once for each event, with its data', async () => {
    const event = { id: 'pay-9-failed', type: 'payment.failed', data: { paymentId: 'pay-9', reason: 'card' } }
    for (let times = 0; times < 3; times++) expect((await fixture.publish(event)).status).toBe(202)
    await fixture.publish({ type: 'payment.completed' })
    const executions = await executionsOf('payments', 1)
    expect(executions).toMatchObject([{ status: 'COMPLETED', trigger: 'event' }])
    const { content } = (await fixture.platform('GET', `/api/dpu/${executions[0]?.dpuId}`)).body.data
    expect(JSON.parse(content)).toEqual({ event: { type: event.type, data: event.data }, scheduledFor: null })
  })

  it('is also a new booking', async () => {
    await fixture.platform('PATCH', `/api/centers/${fixture.center.id}/settings`, {
      timezone: 'Europe/Berlin',
      booking: { slotMinutes: 60, openingHours: { mon: [{ from: '09:00', to: '17:00' }] } },
    })
    const booked = await fixture.platform('POST', `/api/centers/${fixture.center.id}/bookings`, {
      instructorId: fixture.instructor.actorId,
      startsAt: '2027-05-03T08:00:00.000Z',
    })
    expect(booked.status).toBe(201)
    const [first] = await executionsOf('bookings', 1)
    const { content } = (await fixture.platform('GET', `/api/dpu/${first?.dpuId}`)).body.data
    expect(JSON.parse(content)).toEqual({
      type: 'booking.created',
      data: {
        bookingId: booked.body.data.id,
        instructorId: fixture.instructor.actorId,
        startsAt: '2027-05-03T08:00:00.000Z',
        endsAt: '2027-05-03T09:00:00.000Z',
      },
    })
  })
})
