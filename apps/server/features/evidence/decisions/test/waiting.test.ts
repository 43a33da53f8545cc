import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreed, open } from '../../../../../../tests/support/approving.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { waitingDecisionsJob } from '../waiting-decisions.job.ts'

let server: TestServer
let other: TestServer

beforeAll(async () => {
  const env = { AUTH_URL: 'https://auth.example/sign-in' }
  server = await startServer({ env })
  other = await startServer({ beside: server, env })
})
afterAll(async () => {
  await other.close()
  await server.close()
})

interface Place {
  readonly center: Center
  readonly admin: Person
  readonly token: string
  readonly key: string
}

async function place(): Promise<Place> {
  const center = await server.world.center()
  const admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  const token = (await server.signIn(admin, center.domain)).accessToken
  return { center, admin, token, key: await server.world.key(center) }
}

const review = { name: 'Plans need a person', match: { actionTypes: ['plan.*'] }, guards: { humanReview: true } }

async function policy({ token }: Place, overrides = {}, through = server) {
  const { status, body, text } = await through.call('POST', '/api/policies', {
    token,
    body: { ...review, ...overrides },
  })
  if (status !== 201) throw new Error(text)
  return body.data
}

const record = async ({ key }: Place, overrides = {}, headers = {}, through = server) =>
  (await through.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent(overrides), headers })).body
    .data

const read = async ({ key }: Place, id: string) =>
  (await server.call('GET', `/api/v1/decision-events/${id}`, { token: key })).body.data

const inbox = async ({ token }: Place): Promise<string[]> =>
  (await server.call('GET', '/api/decisions?waiting=true', { token })).body.data.map(({ id }: { id: string }) => id)

const messages = ({ center }: Place) =>
  server.world.query<{ data: string; deliveries: number }>(
    `select e.data, (select count(*)::int from cell.webhook_deliveries d where d.center_id = e.center_id and d.event_id = e.id) as deliveries
     from cell.webhook_events e where e.type = 'agent.approval.requested' and e.center_id = $1 order by e.created_at`,
    [center.id],
    true,
  )

describe('a decision waits', () => {
  it('when it is recorded and a policy asks for an approval, in a batch and with an Idempotency-Key', async () => {
    const here = await place()
    await server.call('POST', '/api/v1/webhooks', {
      token: here.key,
      body: { url: 'https://consumer.example/hook', events: ['agent.approval.*'] },
    })
    const { id: policyId, version, digest } = await policy(here, { approval: { expiresAfterSeconds: 3600 } })
    const first = await record(here, { idempotencyKey: 'plan-1' })
    const second = await record(here, {}, { 'idempotency-key': 'header' })
    const free = await record(here, { action: { type: 'stock.reorder' } })
    await record(here, { idempotencyKey: 'plan-1' })
    const { waiting } = await read(here, first.id)
    expect(waiting).toEqual({
      since: first.createdAt,
      frozen: null,
      emergency: null,
      reasons: ['humanReview'],
      policies: [{ id: policyId, version, digest }],
      expiresAt: new Date(Date.parse(first.createdAt) + 3_600_000).toISOString(),
      approvalUrl: `https://auth.example/approve/${first.id}`,
      rules: [expect.objectContaining({ name: review.name, guards: ['humanReview'], identity: 'session' })],
    })
    expect((await read(here, free.id)).waiting).toBeNull()
    expect(await inbox(here)).toEqual([second.id, first.id])
    const told = await messages(here)
    expect(told.map(({ deliveries }) => deliveries)).toEqual([1, 1])
    expect(JSON.parse(told[0]?.data as string)).toMatchObject({
      eventId: first.id,
      decisionId: 'plan-1',
      agentId: 'agent-7',
      policies: [policyId],
      approvalUrl: `https://auth.example/approve/${first.id}`,
      description: 'Two sessions a week',
      expiresAt: waiting.expiresAt,
    })
  })

  it('when an agent asks and is told to wait, once for one key', async () => {
    const here = await place()
    await server.call('POST', '/api/v1/webhooks', {
      token: here.key,
      body: { url: 'https://consumer.example/hook', events: ['*'] },
    })
    await policy(here)
    const body = { agent: { id: 'agent-7' }, action: { type: 'plan.adjust' }, reason: 'Progress slowed.' }
    const decide = () =>
      server.call('POST', '/api/v1/agents/decide', { token: here.key, body, headers: { 'idempotency-key': 'k' } })
    const { eventId, outcome } = (await decide()).body.data
    await decide()
    expect(outcome).toBe('approval_required')
    expect(await inbox(here)).toEqual([eventId])
    expect((await read(here, eventId)).waiting).toMatchObject({ reasons: ['humanReview'], expiresAt: null })
    expect(await messages(here)).toHaveLength(1)
  })

  it('under the policies of this moment, also if another process changed them', async () => {
    const here = await place()
    const before = await record(here)
    await policy(here, {}, other)
    const after = await record(here)
    expect(await inbox(here)).toEqual([after.id])
    expect((await read(here, before.id)).waiting).toBeNull()
  })

  it('until it is sealed or refused', async () => {
    const here = await place()
    await policy(here)
    const [one, two] = [await record(here), await record(here)]
    const decide = async (id: string, result: string) => {
      const shown = await open(
        async (method, path, body) =>
          (await server.call(method, path, { token: here.token, ...(body && { body }) })).body.data,
        id,
      )
      return server.call('POST', `/api/decisions/${id}/approvals`, { token: here.token, body: { result, ...shown } })
    }
    expect((await decide(one.id, 'approved')).status).toBe(200)
    expect(await inbox(here)).toEqual([two.id])
    expect((await decide(two.id, 'rejected')).status).toBe(200)
    expect(await inbox(here)).toEqual([])
    expect((await read(here, one.id)).waiting).toBeNull()
  })
})

describe('after a change of policies', () => {
  it('decisions that wait are judged again, and what asked before goes on asking', async () => {
    const here = await place()
    const made = await policy(here)
    const { id } = await record(here)
    const ask = (method: string, path: string, body?: unknown) =>
      server.call(method, path, { token: here.token, ...(body !== undefined && { body }) })
    const change = async (method: string, body?: object) =>
      agreed(ask, [method], await ask(method, `/api/policies/${made.id}`, body))
    await change('PATCH', { guards: { dualApproval: true }, approval: { expiresAfterSeconds: 60 } })
    await waitingDecisionsJob(server.services, 'main', { centerId: here.center.id })
    const { waiting, createdAt } = await read(here, id)
    expect(waiting).toMatchObject({
      since: createdAt,
      reasons: ['humanReview', 'dualApproval'],
      policies: [
        { id: made.id, version: 1 },
        { id: made.id, version: 2 },
      ],
      expiresAt: new Date(Date.parse(createdAt) + 60_000).toISOString(),
    })
    await change('DELETE')
    await waitingDecisionsJob(server.services, 'main', null)
    expect(await read(here, id)).toMatchObject({ status: 'recorded', waiting: { reasons: ['humanReview'] } })
  })
})
