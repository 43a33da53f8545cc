/** Settings that a center gives a workflow: on or off, schedule, default parameters, tags. */
import { useClock } from '@countersign/server/lib/clock.ts'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  draft,
  startWorkflowFixture,
  step,
  type WorkflowFixture,
  workflow,
  workflowId,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { scheduleWorker } from './worker.ts'

const parameters = Type.Object(
  { least: Type.Integer({ minimum: 0, maximum: 9, default: 3 }), tag: Type.String({ default: 'case' }) },
  { additionalProperties: false },
)
const steps = [step('write', async ({ parameters: given }) => draft(JSON.stringify(given)))]
const definitions = [
  workflow({ key: 'daily', type: 'SCHEDULED', schedule: { cron: '0 9 * * *' }, parameters, steps }),
  workflow({ key: 'on-payment', type: 'EVENT', event: 'payment.failed', parameters, steps }),
  workflow({
    key: 'with-project',
    parameters: Type.Object(
      { project: Type.String(), least: Type.Integer({ default: 1 }) },
      { additionalProperties: false },
    ),
    steps,
  }),
  workflow({ key: 'not-ours', vertical: 'pharmacy' }),
]
let fixture: WorkflowFixture
let restore = () => {}
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions })
})
afterEach(() => restore())
afterAll(() => fixture.close())

const put = (key: string, body: object) => fixture.platform('PUT', `/api/workflows/${workflowId(key)}/settings`, body)
const unit = async (id: string) => {
  const { dpuId } = await fixture.ended(id)
  return (await fixture.platform('GET', `/api/dpu/${dpuId}`)).body.data as { content: string; tags: string[] }
}

describe('200', () => {
  it('default parameters and tags apply to the next execution, and parameters of a call win', async () => {
    const chosen = { parameters: { least: 5 }, tags: ['monday', 'test'] }
    const { status, body } = await put('daily', chosen)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ status: 'ACTIVE', settings: { ...chosen, enabled: true, schedule: null } })
    const first = await unit(await fixture.run('daily'))
    expect(first).toMatchObject({ content: '{"least":5,"tag":"case"}', tags: ['test', 'monday'] })
    expect((await unit(await fixture.run('daily', { least: 7 }))).content).toBe('{"least":7,"tag":"case"}')
    const [listed] = (await fixture.platform('GET', '/api/workflows')).body.data
    expect(listed.settings.parameters).toEqual({ least: 5 })
  })

  it('a parameter without default stays one that a call must give', async () => {
    expect((await put('with-project', { parameters: { least: 2 } })).status).toBe(200)
    expect((await fixture.execute('with-project')).status).toBe(400)
    const id = await fixture.run('with-project', { project: 'P-1' })
    expect((await unit(id)).content).toBe('{"least":2,"project":"P-1"}')
  })

  it('a schedule of the center replaces that of the workflow, and off stops it', async () => {
    const worker = scheduleWorker(fixture.server)
    /** Sessions live by the same clock, so it is moved for the workers only. */
    const at = async (text: string, work: () => Promise<unknown>) => {
      restore = useClock(() => Date.parse(text))
      await work()
      restore()
    }
    const due = async (text: string) => {
      await at(text, worker.fire)
      const rows = await fixture.server.world.query<{ at: Date }>(
        'select scheduled_for as at from cell.executions where center_id = $1 and scheduled_for is not null order by 1',
        [fixture.center.id],
      )
      return rows.map(({ at }) => at.toISOString().slice(0, 16))
    }
    await put('daily', {})
    await at('2036-06-02T10:00Z', worker.sync)
    const { body } = await put('daily', { schedule: '30 20 * * 5' })
    expect(body.data.schedule).toMatchObject({ cron: '30 20 * * 5', nextRun: expect.stringMatching(/T11:30:00.000Z$/) })
    // Not synchronized yet: a worker that finds the schedule of the workflow due reads the settings first.
    expect(await due('2036-06-03T00:01Z')).toEqual([])
    expect(await due('2036-06-06T11:31Z')).toEqual(['2036-06-06T11:30'])
    expect((await put('daily', { enabled: false, schedule: '30 20 * * 5' })).body.data).toMatchObject({
      status: 'INACTIVE',
      schedule: { nextRun: null },
    })
    expect(await due('2036-06-20T11:31Z')).toHaveLength(1)
    await at('2036-06-20T11:31Z', worker.sync)
    expect(await due('2036-06-27T11:31Z')).toHaveLength(1)
  })

  it('off stops events, and a person still starts it', async () => {
    const token = await fixture.server.world.key(fixture.center, { scopes: ['events:write'] })
    const publish = (id: string) =>
      fixture.server.call('POST', '/api/v1/events', {
        token,
        body: { id, type: 'payment.failed', data: { paymentId: id, amount: 1, currency: 'KRW', reason: 'x' } },
      })
    const count = async () =>
      (await fixture.platform('GET', `/api/workflows/${workflowId('on-payment')}/executions`)).body.pagination.total
    await put('on-payment', { enabled: false, parameters: { least: 9 } })
    expect((await publish('payment-0001')).status).toBe(202)
    expect(await count()).toBe(0)
    expect((await unit(await fixture.run('on-payment'))).content).toContain('"least":9')
    await put('on-payment', { parameters: { least: 8 } })
    await publish('payment-0002')
    expect(await count()).toBe(2)
  })

  it('the audit has the old and the new settings', async () => {
    await put('with-project', { tags: ['old'] })
    await put('with-project', { tags: ['new'] })
    const [entry] = await fixture.server.world.query<{ details: { before: string; after: string } }>(
      `select details from cell.audit_entries where center_id = $1 and type = 'settings.updated' order by id desc limit 1`,
      [fixture.center.id],
    )
    expect([JSON.parse(entry?.details.before ?? '').tags, JSON.parse(entry?.details.after ?? '').tags]).toEqual([
      ['old'],
      ['new'],
    ])
  })
})

describe('400', () => {
  it.each([
    ['daily', { schedule: '* * * * *' }, 'more than once an hour'],
    ['daily', { schedule: '0,30 9 * * 1' }, 'more than once an hour'],
    ['daily', { schedule: '0 9 31 2 *' }, "isn't a cron expression"],
    ['daily', { schedule: 'every monday' }, "isn't a cron expression"],
    ['on-payment', { schedule: '0 9 * * *' }, 'has no schedule'],
    ['daily', { parameters: { least: 10 } }, 'parameters.least'],
    ['daily', { parameters: { other: 1 } }, 'parameters'],
    ['daily', { tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, 'tags'],
    ['daily', { enabled: 'no' }, 'enabled'],
  ])('%s %j', async (key, body, words) => {
    const { status, body: answer } = await put(key, body)
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.error.message).toContain(words)
  })
})

it('404 NOT_FOUND for a workflow of another vertical', async () => {
  const { status, body } = await put('not-ours', {})
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
})

it('403 INSUFFICIENT_ROLE for an instructor', async () => {
  const person = await fixture.server.world.person()
  await fixture.server.world.member(person, fixture.center, 'INSTRUCTOR')
  const { accessToken: token } = await fixture.server.signIn(person, fixture.center.domain)
  const path = `/api/workflows/${workflowId('daily')}/settings`
  const { status, body } = await fixture.server.call('PUT', path, { token, body: {} })
  expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
})

it('stored parameters that a changed definition no longer accepts are left out', async () => {
  await fixture.server.world.query(
    `insert into cell.workflow_settings (center_id, workflow_key, enabled, parameters, tags, updated_at)
     values ($1, 'daily', true, '{"least": 99, "gone": 1, "tag": "kept"}', '{}', now())
     on conflict (center_id, workflow_key) do update set enabled = true, parameters = excluded.parameters`,
    [fixture.center.id],
  )
  expect(JSON.parse((await unit(await fixture.run('daily'))).content)).toEqual({ least: 3, tag: 'kept' })
})
