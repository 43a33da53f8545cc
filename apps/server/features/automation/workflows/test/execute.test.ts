import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  draft,
  startWorkflowFixture,
  step,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

const closed = { additionalProperties: false }
const definitions = [
  workflow({ key: 'plain' }),
  workflow({ key: 'elsewhere', vertical: 'pharmacy' }),
  workflow({
    key: 'asks',
    parameters: Type.Object(
      {
        days: Type.Integer({ minimum: 1, maximum: 31, default: 7 }),
        tone: Type.Optional(Type.String({ maxLength: 20 })),
        subject: Type.String({ minLength: 1 }),
      },
      closed,
    ),
    steps: [step('repeat', async ({ parameters }) => draft(JSON.stringify(parameters)))],
  }),
  workflow({
    key: 'alone',
    alone: true,
    steps: [
      step('wait', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)), {
        timeoutSeconds: 60,
      }),
    ],
  }),
]
let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions })
})
afterAll(() => fixture.close())

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('200', () => {
  it('returns an execution that is RUNNING, and it leaves a draft', async () => {
    const { status, body } = await fixture.execute('plain')
    expect([status, body]).toEqual([
      200,
      { success: true, data: { executionId: expect.stringMatching(/^exe_/), status: 'RUNNING', startedAt: iso } },
    ])
    expect(await fixture.ended(body.data.executionId)).toMatchObject({ status: 'COMPLETED', evidenceLevel: 'DRAFT' })
  })

  it('accepts a request without a body', async () => {
    const { status } = await fixture.platform('POST', `/api/workflows/${workflowId('plain')}/execute`, {})
    expect(status).toBe(200)
  })

  it('adds the defaults of the definition to the given parameters', async () => {
    const id = await fixture.run('asks', { subject: 'spring' })
    const { dpuId, parameters } = await fixture.ended(id)
    expect(parameters).toEqual({ days: 7, subject: 'spring' })
    const dpu = (await fixture.platform('GET', `/api/dpu/${dpuId}`)).body.data
    expect(JSON.parse(dpu.content)).toEqual({ days: 7, subject: 'spring' })
  })

  it('starts one execution for an Idempotency-Key', async () => {
    const ask = () => fixture.execute('plain', undefined, { 'idempotency-key': 'execute-1' })
    const [first, again] = [await ask(), await ask()]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('for an instructor', async () => {
    const path = `/api/workflows/${workflowId('plain')}/execute`
    const { status } = await fixture.server.call('POST', path, { token: fixture.instructorToken, body: {} })
    expect(status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    [{ subject: 'x', days: 0 }, 'VALIDATION_ERROR', '"parameters.days" must be at least 1.'],
    [{ subject: 'x', days: '7' }, 'VALIDATION_ERROR', '"parameters.days" must be a whole number.'],
    [{ subject: 'x', day: 7 }, 'VALIDATION_ERROR', '"parameters.day" isn\'t a known field. Leave it out.'],
    [{ days: 7 }, 'MISSING_REQUIRED_FIELD', '"parameters.subject" is required.'],
  ])('%j is refused by the definition, which names the field', async (parameters, code, message) => {
    const { status, body } = await fixture.execute('asks', parameters)
    expect([status, body.error.code, body.error.message]).toEqual([400, code, message])
  })
})

describe('403 INSUFFICIENT_ROLE', () => {
  it.each(['PARENT', 'CHILD'])('for a %s', async (role) => {
    const { world } = fixture.server
    const person = await world.person()
    await world.member(person, fixture.center, role)
    const { accessToken } = await fixture.server.signIn(person, fixture.center.domain)
    const path = `/api/workflows/${workflowId('plain')}/execute`
    const { status, body } = await fixture.server.call('POST', path, { token: accessToken, body: {} })
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  })
})

describe('404 NOT_FOUND', () => {
  it.each([
    ['of another vertical', workflowId('elsewhere')],
    ['that does not exist', newId('workflow')],
    ['that is not an id', 'weekly'],
  ])('for a workflow %s', async (_what, id) => {
    const { status, body } = await fixture.platform('POST', `/api/workflows/${id}/execute`, {})
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('409 CONFLICT', () => {
  it('for all but one of fifty callers who start a workflow that allows one execution', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.execute('alone')))
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.error.code === 'CONFLICT')).toHaveLength(49)
    const executionId = winners[0]?.body.data.executionId
    await fixture.platform('POST', `/api/workflows/executions/${executionId}/cancel`)
    expect((await fixture.execute('alone')).status).toBe(200)
  })

  it('is not kept under an Idempotency-Key: the same key starts an execution once the other has ended', async () => {
    const { body: running } = await fixture.execute('alone')
    const path = `/api/workflows/${workflowId('alone')}/execute`
    const headers = { 'idempotency-key': 'later' }
    const id =
      running.data?.executionId ??
      (await fixture.platform('GET', `/api/workflows/${workflowId('alone')}/executions`)).body.data[0].executionId
    expect((await fixture.platform('POST', path, {}, headers)).status).toBe(409)
    await fixture.platform('POST', `/api/workflows/executions/${id}/cancel`)
    const started = await fixture.platform('POST', path, {}, headers)
    expect([started.status, started.headers.get('idempotency-replayed')]).toEqual([200, null])
    const again = await fixture.platform('POST', path, {}, headers)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  })

  it('not for another center', async () => {
    const { server } = fixture
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center, 'ADMIN')
    const { accessToken } = await server.signIn(person, center.domain)
    const path = `/api/workflows/${workflowId('alone')}/execute`
    expect((await server.call('POST', path, { token: accessToken, body: {} })).status).toBe(200)
  })
})
