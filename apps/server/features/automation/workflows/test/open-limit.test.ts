import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  startWorkflowFixture,
  type WorkflowFixture,
  workflow,
} from '../../../../../../tests/support/workflow-fixture.ts'

const most = 5
let fixture: WorkflowFixture

beforeAll(async () => {
  fixture = await startWorkflowFixture({
    resting: true,
    definitions: [workflow({ key: 'waits' }), workflow({ key: 'reacts', type: 'EVENT', event: 'payment.failed' })],
    env: { MAX_OPEN_EXECUTIONS_PER_CENTER: String(most) },
  })
})
afterAll(() => fixture.close())

it('refuses starts beyond the limit with 429, also of fifty at a time, and admits one when another has ended', async () => {
  const first = await fixture.run('waits')
  for (let n = 2; n < most; n++) await fixture.run('waits')
  const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.execute('waits')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(49)
  expect(refused[0]?.headers.get('retry-after')).toBe('5')
  expect(refused[0]?.body.error).toEqual({
    code: 'RATE_LIMITED',
    message:
      'This center already has 5 open workflow executions, the maximum. Wait until one ends, or ask the operator for more.',
    details: { reason: 'runs' },
  })

  // An event that would start one more has no effect, so the app can send it again.
  const { server, center } = fixture
  const token = await server.world.key(center, { scopes: ['events:write'] })
  const body = { id: 'evt-1', type: 'payment.failed', data: {} }
  const publish = () => server.call('POST', '/api/v1/events', { token, body })
  expect((await publish()).status).toBe(429)
  expect((await fixture.platform('POST', `/api/workflows/executions/${first}/cancel`)).status).toBe(200)
  expect((await publish()).status).toBe(202)
  expect((await fixture.execute('waits')).status).toBe(429)
})
