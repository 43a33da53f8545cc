/** What a key that is bound to one agent reaches: the decisions of that agent, and nothing else of the center. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture, sampleDecision } from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

const agent = { id: 'agent-7', type: 'ai_agent' }
const other = { id: 'agent-8', type: 'ai_agent' }

let server: TestServer
let fixture: ProofFixture
let mine: { id: string; evidence: { id: string } }
let theirs: { id: string; evidence: { id: string } }

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await openProofFixture(server)
  mine = await fixture.record({ actor: agent, tags: ['both'] })
  theirs = await fixture.record({ actor: other, tags: ['both'] })
})

const bound = (scopes: string[], boundTo = agent) => server.world.key(fixture.center, { scopes, boundTo })
const as = (token: string) => (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) })
const refusal = ({ status, body }: { status: number; body: { error: { code: string } } }) => [status, body.error.code]

describe.each([['decide'], ['proof:write']])('a key with the scope %s that is bound to an agent', (scope) => {
  it('records, decides, consumes, reports and reads, as its agent', async () => {
    const call = as(await bound([scope]))
    expect((await call('POST', '/decision-events', sampleEvent({ actor: agent }))).status).toBe(201)
    const action = { type: 'stock.reorder', input: { boxes: 40 } }
    const decided = (await call('POST', '/agents/decide', sampleDecision({ action }))).body.data
    const { actionDigest, eventId } = decided
    const consumed = await call('POST', `/decision-events/${eventId}/consume`, { actionDigest, executor: 'one' })
    expect(consumed.status).toBe(200)
    const report = { executor: 'one', status: 'succeeded' }
    expect((await call('POST', `/decision-events/${eventId}/outcome`, report)).status).toBe(200)
    expect((await call('GET', `/decision-events/${mine.id}`)).body.data.id).toBe(mine.id)
    const evidence = eventId.replace('evt_', 'evd_')
    expect((await call('GET', `/evidence/${evidence}/export`)).status).toBe(200)
    expect((await call('GET', `/dpu/${eventId.replace('evt_', 'dpu_')}`)).body.data.status).toBe('sealed')
  })

  it('records and decides as nobody else', async () => {
    const call = as(await bound([scope]))
    const recorded = await call('POST', '/decision-events', sampleEvent({ actor: other }))
    const decided = await call('POST', '/agents/decide', sampleDecision({ agent: { id: other.id } }))
    expect([refusal(recorded), refusal(decided)]).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
    ])
  })

  it('finds no decision of another agent: not by id, not in a list, not in a total', async () => {
    await fixture.approve(theirs.id)
    const call = as(await bound([scope]))
    const dpu = theirs.id.replace('evt_', 'dpu_')
    const attempts = [
      await call('GET', `/decision-events/${theirs.id}`),
      await call('GET', `/evidence/${theirs.evidence.id}`),
      await call('GET', `/evidence/${theirs.evidence.id}/export`),
      await call('GET', `/dpu/${dpu}`),
      await call('POST', `/decision-events/${theirs.id}/consume`, {
        actionDigest: `sha256:${'0'.repeat(64)}`,
        executor: 'x',
      }),
      await call('POST', `/decision-events/${theirs.id}/outcome`, { executor: 'x', status: 'unknown' }),
    ]
    for (const each of attempts) expect(refusal(each)).toEqual([404, 'NOT_FOUND'])
    for (const query of ['', '?tag=both', `?actorId=${other.id}`, '?status=sealed']) {
      const { data, pagination } = (await call('GET', `/decision-events${query}`)).body
      const expected = query === '' || query === '?tag=both' ? [mine.id] : []
      expect([query, data.map(({ id }: { id: string }) => id), pagination.total]).toEqual([
        query,
        expected,
        expected.length,
      ])
    }
    expect((await call('GET', `/decision-events?cursor=${theirs.id}`)).status).toBe(422)
  })

  it('does not find a decision of a person or a program with the id of its agent', async () => {
    const person = await fixture.record({ actor: { id: agent.id, type: 'human' } })
    const call = as(await bound([scope]))
    expect((await call('GET', `/decision-events/${person.id}`)).status).toBe(404)
  })

  it('reaches no unit that is no decision, no chain and no webhook', async () => {
    const call = as(await bound([scope]))
    const unit = await fixture.unit()
    expect(refusal(await call('GET', `/dpu/${unit.id}`))).toEqual([404, 'NOT_FOUND'])
    const webhook = { url: 'https://a.example/', events: ['*'] }
    const attempts = [
      await call('GET', '/chains/proof/entries'),
      await call('GET', '/chains/proof/checkpoint'),
      await call('GET', '/webhooks'),
      await call('GET', '/webhooks/event-types'),
      await call('POST', '/webhooks', webhook),
    ]
    for (const each of attempts) expect(refusal(each)).toEqual([403, 'FORBIDDEN'])
  })
})

it('a bound key with proof:write neither approves nor refuses the decision of another agent', async () => {
  const call = as(await bound(['proof:write']))
  for (const result of ['approved', 'rejected']) {
    const body = { approver: { id: fixture.admin.actorId, type: 'human' }, result }
    expect(refusal(await call('POST', `/decision-events/${theirs.id}/approvals`, body))).toEqual([404, 'NOT_FOUND'])
  }
  expect((await fixture.v1('GET', `/api/v1/decision-events/${theirs.id}`)).body.data.status).toBe('recorded')
})

it('a key with the scope decide approves and refuses nothing', async () => {
  const call = as(await bound(['decide']))
  const body = { approver: { id: 'kim', type: 'human' }, result: 'approved' }
  expect(refusal(await call('POST', `/decision-events/${mine.id}/approvals`, body))).toEqual([403, 'FORBIDDEN'])
})

it('a bound key from before this keeps webhooks, and chains are closed to it', async () => {
  const key = await bound(['proof:write'])
  await server.world.query(
    'update directory.api_keys set keeps_webhooks = true where center_id = $1 and bound_to is not null',
    [fixture.center.id],
  )
  const call = as(key)
  expect((await call('GET', '/webhooks')).status).toBe(200)
  expect((await call('POST', '/webhooks', { url: 'https://a.example/', events: ['*'] })).status).toBe(201)
  expect((await call('GET', '/chains/proof/checkpoint')).status).toBe(403)
  const { data } = (await fixture.platform('GET', '/api/api-keys')).body
  expect(data.filter(({ keepsWebhooks }: { keepsWebhooks: boolean }) => keepsWebhooks)).toHaveLength(1)
})

it('a key with webhooks:write manages webhooks and reads nothing else', async () => {
  const call = as(await server.world.key(fixture.center, { scopes: ['webhooks:write'] }))
  const made = await call('POST', '/webhooks', { url: 'https://a.example/', events: ['*'] })
  expect(made.status).toBe(201)
  expect((await call('GET', '/webhooks')).body.data).toHaveLength(1)
  expect((await call('DELETE', `/webhooks/${made.body.id}`)).status).toBe(204)
  expect(refusal(await call('GET', '/decision-events'))).toEqual([403, 'FORBIDDEN'])
})

describe('422', () => {
  it.each([
    ['decide without an actor', { scopes: ['decide'] }],
    ['webhooks:write with an actor', { scopes: ['webhooks:write'], actor: agent }],
    ['policies:write with an actor', { scopes: ['decide', 'policies:write'], actor: agent }],
  ])('%s', async (_, body) => {
    const answer = await fixture.platform('POST', '/api/api-keys', { name: 'a key', ...body })
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR'])
  })

  it('for no key that fits', async () => {
    const body = { name: 'a key', scopes: ['decide'], actor: agent }
    const { status, body: made } = await fixture.platform('POST', '/api/api-keys', body)
    expect([status, made.data.keepsWebhooks]).toEqual([201, false])
    expect((await as(made.data.key)('GET', `/decision-events/${mine.id}`)).status).toBe(200)
  })
})

describe('a refusal that a key states', () => {
  const refuse = (key: string, id: string) =>
    as(key)('POST', `/decision-events/${id}/approvals`, { approver: { id: 'kim', type: 'human' }, result: 'rejected' })

  it('does not count where a policy asks for a signed-in member', async () => {
    await fixture.policy({ humanReview: true }, { approval: { identity: 'session' } })
    const { id } = await fixture.record()
    for (const scopes of [['proof:write'], ['proof:approve']]) {
      const key = await server.world.key(fixture.center, { scopes })
      const { status, body } = await refuse(key, id)
      expect([status, body.error.code, body.error.details.identity]).toEqual([422, 'POLICY_VIOLATION', 'session'])
    }
    expect((await fixture.approveAsMember(id, { result: 'rejected' })).status).toBe(200)
  })

  it('counts where a policy accepts a claim, of a key that may speak for people', async () => {
    await fixture.policy({ humanReview: true })
    const { id } = await fixture.record()
    expect((await refuse(await server.world.key(fixture.center), id)).status).toBe(422)
    expect((await refuse(fixture.key, id)).status).toBe(422)
    expect((await refuse(await server.world.key(fixture.center, { scopes: ['proof:approve'] }), id)).status).toBe(200)
  })

  it('counts where no policy asks for anybody', async () => {
    expect((await refuse(fixture.key, mine.id)).status).toBe(200)
  })
})
