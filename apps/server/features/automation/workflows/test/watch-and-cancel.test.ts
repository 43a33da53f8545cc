/** One execution with its steps, and its cancellation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import {
  draft,
  startWorkflowFixture,
  step,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

const aborted: string[] = []
const definitions = [
  workflow({
    key: 'three',
    steps: [
      step('collect', async () => ({ n: 3 })),
      step('weigh', async () => 1),
      step('write', async () => draft('Done.')),
    ],
  }),
  workflow({
    key: 'slow',
    steps: [
      step('collect', async () => ({ n: 3 })),
      step(
        'wait',
        ({ signal, executionId }) =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              aborted.push(executionId)
              reject(new Error('stopped'))
            }),
          ),
        { timeoutSeconds: 60 },
      ),
      step('write', async () => draft('Never.')),
    ],
  }),
]
let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions })
})
afterAll(() => fixture.close())

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const cancel = (id: string, headers = {}) =>
  fixture.platform('POST', `/api/workflows/executions/${id}/cancel`, undefined, headers)
const atWork = (id: string) => fixture.until(id, ({ steps }) => steps[1]?.status === 'RUNNING')

describe('watching: 200', () => {
  it('shows an execution that has ended, with all its steps', async () => {
    const id = await fixture.run('three')
    const done = { status: 'COMPLETED', attempts: 1, startedAt: iso, completedAt: iso, error: null }
    expect(await fixture.ended(id)).toEqual({
      executionId: id,
      status: 'COMPLETED',
      startedAt: iso,
      completedAt: iso,
      dpuId: expect.stringMatching(/^dpu_/),
      evidenceLevel: 'DRAFT',
      workflowId: workflowId('three'),
      workflowName: 'Test of three',
      trigger: 'manual',
      scheduledFor: null,
      parameters: {},
      counted: null,
      failure: null,
      steps: ['collect', 'weigh', 'write'].map((name) => ({ name, ...done })),
    })
  })

  it('shows the current step of an execution that has not ended', async () => {
    const id = await fixture.run('slow')
    const { status, completedAt, dpuId, steps } = await atWork(id)
    expect([status, completedAt, dpuId]).toEqual(['RUNNING', null, null])
    expect(steps).toMatchObject([
      { name: 'collect', status: 'COMPLETED', attempts: 1 },
      { name: 'wait', status: 'RUNNING', attempts: 1, startedAt: iso, completedAt: null },
      { name: 'write', status: 'PENDING', attempts: 0, startedAt: null },
    ])
    await cancel(id)
  })
})

describe('canceling: 200', () => {
  it('ends an execution within a step: the step is aborted, and no step follows', async () => {
    const id = await fixture.run('slow')
    await atWork(id)
    const { status, body } = await cancel(id)
    expect([status, body.data]).toMatchObject([
      200,
      { executionId: id, status: 'CANCELED', completedAt: iso, evidenceLevel: 'DRAFT' },
    ])
    for (let tries = 0; tries < 200 && !aborted.includes(id); tries++) await new Promise((done) => setTimeout(done, 25))
    expect(aborted).toContain(id)
    const { steps, ...watched } = await fixture.watch(id)
    expect(watched).toMatchObject(body.data)
    expect(steps.map(({ status: each }) => each)).toEqual(['COMPLETED', 'CANCELED', 'CANCELED'])
    const query = `select type, details ->> 'action' as action, actor_id from cell.audit_entries
      where target_id = $1 order by occurred_at, id`
    expect(await fixture.server.world.query(query, [id])).toMatchObject([
      { type: 'workflow.executed', action: 'started', actor_id: fixture.admin.actorId },
      { type: 'workflow.executed', action: 'canceled', actor_id: fixture.admin.actorId },
    ])
  })

  it('returns the same answer for the same Idempotency-Key', async () => {
    const id = await fixture.run('slow')
    const [first, again] = [
      await cancel(id, { 'idempotency-key': 'c-1' }),
      await cancel(id, { 'idempotency-key': 'c-1' }),
    ]
    expect([again.status, again.body]).toEqual([200, first.body])
  })
})

describe('canceling: 409 CONFLICT', () => {
  it('for an execution that is completed or canceled', async () => {
    const completed = (await fixture.ended(await fixture.run('three'))).executionId
    const canceled = await fixture.run('slow')
    await cancel(canceled)
    for (const id of [completed, canceled]) {
      const { status, body } = await cancel(id)
      expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    }
    expect((await fixture.watch(completed)).status).toBe('COMPLETED')
  })

  it('for all but one of the callers who cancel at the same time', async () => {
    const id = await fixture.run('slow')
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })
})

describe('403 and 404', () => {
  it('an execution of another center does not exist, for watching or canceling', async () => {
    const id = await fixture.run('slow')
    const otherCenter = await openProofFixture(fixture.server)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
    ] as const) {
      const { status, body } = await otherCenter.platform(method, `/api/workflows/executions/${id}${path}`)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await cancel(id)).status).toBe(200)
  })

  it.each([newId('execution'), 'exe_x', newId('dpu')])('%s is not an execution', async (id) => {
    expect((await cancel(id)).status).toBe(404)
    expect((await fixture.platform('GET', `/api/workflows/executions/${id}`)).body.error.code).toBe('NOT_FOUND')
  })

  it.each(['PARENT', 'CHILD'])('a %s may neither watch nor cancel', async (role) => {
    const id = await fixture.run('slow')
    const person = await fixture.server.world.person()
    await fixture.server.world.member(person, fixture.center, role)
    const { accessToken: token } = await fixture.server.signIn(person, fixture.center.domain)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
    ] as const) {
      const { status, body } = await fixture.server.call(method, `/api/workflows/executions/${id}${path}`, { token })
      expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
    await cancel(id)
  })
})
