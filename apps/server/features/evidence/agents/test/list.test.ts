/** Which agents are listed, for whom, and what a flood of them costs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Office, openOffice } from '../../decisions/test/fixture.ts'
import { countCenter } from '../../oversight/counter.ts'

let server: TestServer
let office: Office

const ask = (token = office.admin.token) => server.call('GET', '/api/console/agents', { token })
const by = (id: string, more: object = {}) => ({ actor: { id, type: 'ai_agent', ...more } })

beforeAll(async () => {
  server = await startServer()
  office = await openOffice(server)
  await office.policy()
})
afterAll(() => server.close())

describe('200', () => {
  it('a center without decisions has none', async () => {
    expect((await ask()).body.data).toEqual({ agents: [], leftOut: 0 })
  })

  it('agents with their last decision and what waits, the newest first, and no people', async () => {
    await office.record({ ...by('agent-old', { name: 'Old' }), action: { type: 'report.write' } })
    await office.record(by('agent-plans', { name: 'Before' }))
    const last = await office.record(by('agent-plans', { name: '<b>Plans</b>' }))
    await office.record({ actor: { id: 'someone', type: 'human' }, action: { type: 'report.write' } })
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body.data).toEqual({
      agents: [
        {
          ...{ id: 'agent-plans', name: '<b>Plans</b>', type: 'ai_agent', waiting: 2 },
          lastDecision: { eventId: last.id, actionType: 'plan.adjust', createdAt: last.createdAt },
        },
        {
          ...{ id: 'agent-old', name: 'Old', type: 'ai_agent', waiting: 0 },
          lastDecision: expect.objectContaining({ actionType: 'report.write' }),
        },
      ],
      leftOut: 0,
    })
  })

  it('an agent of older decisions is known by what people decided about it', async () => {
    const other = await openOffice(server)
    await other.policy()
    const { id } = await other.record(by('agent-once'))
    expect((await other.decide(other.admin, id)).status).toBe(200)
    await countCenter(server.services.cells.of('main'), server.services.centers, other.center.id)
    const flood = (ids: readonly string[]) =>
      server.world.query(
        `with made as (
           insert into cell.recorded_decisions (center_id, id, decision_id, type, actor, action, tags, occurred_at, created_at,
             action_digest)
           select center_id, gen_random_uuid(), gen_random_uuid(), type, json_build_object('id', n, 'type', 'service'),
             action, tags, occurred_at, created_at, action_digest
           from (select * from cell.decision_events where center_id = $1 limit 1) e, unnest($2::text[]) n
           returning center_id, seq)
         insert into cell.open_decisions (center_id, seq, status) select center_id, seq, 'recorded' from made`,
        [other.center.id, ids],
      )
    await flood(Array.from({ length: 1000 }, () => 'flood'))
    expect((await ask(other.admin.token)).body.data).toMatchObject({
      agents: [{ id: 'flood' }, { id: 'agent-once', type: 'ai_agent', waiting: 0, lastDecision: null }],
      leftOut: 0,
    })
    // One answer is bounded, whatever ids were recorded.
    await flood(Array.from({ length: 600 }, (_, at) => `${at} ${'x'.repeat(9000)}`))
    const { body, text } = await ask(other.admin.token)
    expect([body.data.agents.length, body.data.leftOut]).toEqual([500, 102])
    expect(text.length).toBeLessThan(500_000)
  })

  it('another center has none of them', async () => {
    const other = await openOffice(server)
    await other.record(by('agent-elsewhere'))
    expect((await ask(other.admin.token)).body.data.agents.map(({ id }: { id: string }) => id)).toEqual([
      'agent-elsewhere',
    ])
    expect((await ask()).text).not.toContain('agent-elsewhere')
  })
})

describe('401', () => {
  it('without a session', async () => {
    expect((await server.call('GET', '/api/console/agents')).status).toBe(401)
  })
})

describe('403', () => {
  it('an INSTRUCTOR', async () => {
    const { token } = await office.join('INSTRUCTOR')
    expect((await ask(token)).status).toBe(403)
  })
})
