/** The workflows of a center, and the executions of one of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startWorkflowFixture,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

const definitions = [
  workflow({ key: 'by-hand', name: 'By hand' }),
  workflow({ key: 'by-clock', type: 'SCHEDULED', schedule: { cron: '0 18 * * 5' } }),
  workflow({ key: 'by-other-clock', type: 'SCHEDULED', schedule: { cron: '0 18 * * 5', timezone: 'Europe/Berlin' } }),
  workflow({ key: 'by-event', type: 'EVENT', event: 'payment.failed' }),
  workflow({ key: 'not-ours', vertical: 'pharmacy' }),
]
let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions })
})
afterAll(() => fixture.close())

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const executionsOf = (key: string, query = '') =>
  fixture.platform('GET', `/api/workflows/${workflowId(key)}/executions${query}`)
const list = async () => (await fixture.platform('GET', '/api/workflows')).body.data as Record<string, unknown>[]

describe('workflows: 200', () => {
  it('lists those of the vertical, with schedule, parameters and steps', async () => {
    const all = await list()
    expect(all.map(({ id }) => id)).toEqual(definitions.slice(0, 4).map(({ key }) => workflowId(key)))
    expect(all[0]).toEqual({
      id: workflowId('by-hand'),
      name: 'By hand',
      type: 'MANUAL',
      status: 'ACTIVE',
      vertical: 'education',
      lastRun: null,
      description: 'For a test.',
      schedule: null,
      event: null,
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      steps: ['write'],
      settings: { enabled: true, schedule: null, parameters: {}, tags: [] },
    })
    expect(all[3]).toMatchObject({ type: 'EVENT', event: 'payment.failed' })
  })

  it('shows a schedule in its time zone, with the next due time', async () => {
    let schedules: unknown[] = []
    for (let tries = 0; tries < 100; tries++) {
      schedules = (await list()).map(({ schedule }) => schedule)
      if ((schedules[1] as { nextRun: string | null }).nextRun) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(schedules[1]).toEqual({
      cron: '0 18 * * 5',
      timezone: 'Asia/Seoul',
      nextRun: expect.stringMatching(/T09:00:00.000Z$/),
    })
    expect(schedules[2]).toMatchObject({
      timezone: 'Europe/Berlin',
      nextRun: expect.stringMatching(/T1[67]:00:00.000Z$/),
    })
  })

  it('shows as lastRun when the newest execution started', async () => {
    await fixture.ended(await fixture.run('by-event'))
    const { startedAt } = await fixture.ended(await fixture.run('by-event'))
    expect((await list())[3]?.lastRun).toBe(startedAt)
  })
})

describe('executions: 200', () => {
  it('lists none before the first execution', async () => {
    const { status, body } = await executionsOf('by-clock')
    const pagination = { page: 1, limit: 50, total: 0, totalPages: 0, hasMore: false }
    expect([status, body]).toEqual([200, { success: true, data: [], pagination, meta: { page: 1, total: 0 } }])
  })

  it('lists the newest first, page by page, each with its draft and evidence level', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await fixture.ended(await fixture.run('by-hand'))).executionId)
    const { body } = await executionsOf('by-hand', '?limit=2&page=2')
    expect(body.data.map((each: { executionId: string }) => each.executionId)).toEqual(ids.slice(2, 4))
    expect(body.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3, hasMore: true })
    const [first] = body.data
    expect(first).toEqual({
      executionId: ids[2],
      status: 'COMPLETED',
      startedAt: iso,
      completedAt: iso,
      dpuId: expect.stringMatching(/^dpu_/),
      evidenceLevel: 'DRAFT',
      workflowId: workflowId('by-hand'),
      trigger: 'manual',
      failure: null,
    })
    await fixture.raise(first.dpuId, 'DOCUMENTED')
    expect((await executionsOf('by-hand', '?limit=2&page=2')).body.data[0].evidenceLevel).toBe('DOCUMENTED')
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each(['?limit=0', '?limit=101', '?page=0', '?page=x'])('for %s', async (query) => {
    const { status, body } = await executionsOf('by-hand', query)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('403 INSUFFICIENT_ROLE', () => {
  it.each(['PARENT', 'CHILD'])('for a %s, of both', async (role) => {
    const { world } = fixture.server
    const person = await world.person()
    await world.member(person, fixture.center, role)
    const { accessToken: token } = await fixture.server.signIn(person, fixture.center.domain)
    for (const path of ['/api/workflows', `/api/workflows/${workflowId('by-hand')}/executions`]) {
      const { status, body } = await fixture.server.call('GET', path, { token })
      expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
  })
})

describe('404 NOT_FOUND', () => {
  it.each([workflowId('not-ours'), newId('workflow'), 'x'])('executions of %s', async (id) => {
    const { status, body } = await fixture.platform('GET', `/api/workflows/${id}/executions`)
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
