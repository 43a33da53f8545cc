/** A redacted draft takes the parameters, outputs and messages of its execution with it, and nothing else changes them. */
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  draft,
  startWorkflowFixture,
  step,
  type WorkflowFixture,
  workflow,
} from '../../../../../../tests/support/workflow-fixture.ts'
import { StepFailure } from '../definition.ts'

const name = 'Seo Yuna of Mapo'
const parameters = Type.Object({ who: Type.String({ default: name }) }, { additionalProperties: false })
const read = step('read', async ({ parameters: { who } }) => ({ who: who as string }))
const definitions = [
  workflow({ key: 'writes', parameters, steps: [read, step('write', async () => draft(`About ${name}.`))] }),
  workflow({
    key: 'fails',
    parameters,
    steps: [
      read,
      step('write', async () => {
        throw new StepFailure(`no data about ${name}`, { retry: false })
      }),
    ],
  }),
]
let fixture: WorkflowFixture
beforeAll(async () => {
  fixture = await startWorkflowFixture({ definitions })
})
afterAll(() => fixture.close())

const redact = (dpuId: string | null, paths: string[]) =>
  fixture.platform('POST', `/api/dpu/${dpuId}/redactions`, { paths, reason: 'Request 1.' })
const kept = async () =>
  JSON.stringify(
    await fixture.server.world.query(
      `select e.parameters, e.event, e.failure, s.output, s.error
       from cell.executions e join cell.execution_steps s on s.center_id = e.center_id and s.execution_id = e.id`,
    ),
  )

it.each(['writes', 'fails'])('of an execution that %s nothing about the person is left', async (key) => {
  const ended = await fixture.ended(await fixture.run(key))
  expect(await kept()).toContain(name)
  expect((await redact(ended.dpuId, ['tags'])).status).toBe(201)
  expect(await kept()).toContain(name)
  expect((await redact(ended.dpuId, ['content', 'metadata'])).status).toBe(201)
  expect(await kept()).not.toContain(name)
  const shown = await fixture.watch(ended.executionId)
  expect(JSON.stringify(shown)).not.toContain(name)
  expect(shown.steps.map(({ status }) => status)).toEqual(ended.steps.map(({ status }) => status))
  const chain = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
  expect(chain.body.data.valid).toBe(true)
})

it('an execution that has ended changes by redaction only, and steps stay with it', async () => {
  const { executionId } = await fixture.ended(await fixture.run('writes'))
  expect(executionId).toBeDefined()
  for (const statement of [
    `update cell.executions set parameters = '{}' where status <> 'RUNNING'`,
    `update cell.execution_steps set output = 'null'`,
    'delete from cell.execution_steps',
  ]) {
    await expect(fixture.server.world.query(statement), statement).rejects.toThrow(/append-only|kept as long/)
  }
})
