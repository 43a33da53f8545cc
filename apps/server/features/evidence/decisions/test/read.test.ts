import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../../../../../tests/support/approving.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { advanceMark } from '../../decision-events/queries.ts'

let server: TestServer
let center: Center
let key: string
let admin: Person
let token: string

beforeAll(async () => {
  server = await startServer({ env: { AUTH_URL: 'https://auth.example/sign-in' } })
  center = await server.world.center()
  key = await server.world.key(center)
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  token = (await server.signIn(admin, center.domain)).accessToken
})
afterAll(() => server.close())

const record = async (overrides = {}) =>
  (await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent(overrides) })).body.data

describe('reading one decision', () => {
  it('shows a program and a member all that was sent, and its state', async () => {
    const sent = sampleEvent()
    const { id } = await record()
    const { body } = await server.call('GET', `/api/v1/decision-events/${id}`, { token: key })
    expect(body.data).toMatchObject({
      ...sent,
      id,
      status: 'recorded',
      waiting: null,
      approvals: [],
      comments: [],
      execution: null,
    })
    const shown = await server.call('GET', `/api/decisions/${id}`, { token })
    const [own] = await server.world.query('select name from directory.api_keys where center_id = $1', [center.id])
    expect(shown.body.data).toEqual({ ...body.data, recordedByName: own?.name })
    expect(body.data).toMatchObject({ actionType: { type: 'plan.adjust', version: 0 }, recordedByName: null })
  })

  it('shows the rules that it waits for, and none that has changed since', async () => {
    const made = await server.call('POST', '/api/policies', {
      token,
      body: {
        name: 'Orders need a person',
        description: 'Ask the manager.',
        match: { actionTypes: ['order.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 10 }] },
        guards: { humanReview: true, riskThreshold: 0.5 },
        approval: { identity: 'passkey', roles: ['ADMIN'], expiresAfterSeconds: 60 },
      },
    })
    const { id: policyId, version } = made.body.data
    const { id } = await record({ action: { type: 'order.place', input: { amount: 11 } }, riskScore: 0.1 })
    const rules = async () =>
      (await server.call('GET', `/api/decisions/${id}`, { token })).body.data.waiting.rules as unknown[]
    expect(await rules()).toEqual([
      {
        ...{ id: policyId, version, name: 'Orders need a person', description: 'Ask the manager.' },
        ...{
          guards: ['humanReview'],
          identity: 'passkey',
          roles: ['ADMIN'],
          expiresAfterSeconds: 60,
          usableForSeconds: 604_800,
        },
        pointers: ['/action/input/amount'],
        conditions: [{ pointer: '/action/input/amount', op: 'gt', value: 10 }],
        riskThreshold: 0.5,
      },
    ])
    await server.call('PATCH', `/api/policies/${policyId}`, { token, body: { name: 'Orders' } })
    expect(await rules()).toMatchObject([{ id: policyId, version: 2, name: 'Orders' }])
  })

  it('shows who approved it, and its evidence', async () => {
    const { id } = await record()
    const opened = await server.call('POST', `/api/decisions/${id}/opened`, { token })
    const again = await server.call('POST', `/api/decisions/${id}/opened`, { token })
    expect(again.body).toEqual(opened.body)
    const shown = await open(
      async (method, path, body) => (await server.call(method, path, { token, ...(body && { body }) })).body.data,
      id,
    )
    const given = await server.call('POST', `/api/decisions/${id}/approvals`, {
      token,
      body: { result: 'approved', reason: 'Agreed.', ...shown },
    })
    expect(given.status).toBe(200)
    const { body } = await server.call('GET', `/api/v1/decision-events/${id}`, { token: key })
    expect(body.data).toMatchObject({
      status: 'sealed',
      evidence: { status: 'sealed', chainHash: given.body.data.sealedHash },
      approvals: [
        {
          approvalId: given.body.data.approvalId,
          result: 'approved',
          reason: 'Agreed.',
          approver: { id: admin.actorId },
        },
      ],
    })
    const closed = await server.call('POST', `/api/decisions/${id}/opened`, { token })
    expect(closed.body).toEqual(opened.body)
  })

  it('does not note the opening of a decision that is closed', async () => {
    const { id } = await record()
    await server.call('POST', `/api/decisions/${id}/approvals`, { token, body: { result: 'rejected' } })
    const { status, body } = await server.call('POST', `/api/decisions/${id}/opened`, { token })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })

  it('answers 404 to an id of another kind', async () => {
    const id = (await record()).evidence.id.replace('evd_', 'apr_')
    const asProgram = await server.call('GET', `/api/v1/decision-events/${id}`, { token: key })
    const asMember = await server.call('GET', `/api/decisions/${id}`, { token })
    expect([asProgram.status, asMember.status]).toEqual([404, 404])
  })
})

describe('the list of a center', () => {
  it('has the same filters, pages and cursors, and refuses an unknown parameter', async () => {
    const own = await server.world.center()
    await server.world.member(admin, own, 'INSTRUCTOR')
    const member = (await server.signIn(admin, own.domain)).accessToken
    const ownKey = await server.world.key(own)
    const ids: string[] = []
    for (const tags of [['a'], ['b'], ['a']]) {
      const { body } = await server.call('POST', '/api/v1/decision-events', {
        token: ownKey,
        body: sampleEvent({ tags }),
      })
      ids.unshift(body.data.id)
    }
    const list = (query: string) => server.call('GET', `/api/decisions?${query}`, { token: member })
    const idsIn = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)
    const first = await list('limit=2')
    expect(idsIn(first)).toEqual(ids.slice(0, 2))
    expect(first.body.pagination).toEqual({
      page: 1,
      limit: 2,
      total: 3,
      totalPages: 2,
      hasMore: true,
      nextCursor: ids[1],
    })
    expect(idsIn(await list('limit=2&page=2'))).toEqual(ids.slice(2))
    expect(idsIn(await list(`limit=2&cursor=${ids[1]}`))).toEqual(ids.slice(2))
    expect(idsIn(await list('tag=a'))).toEqual([ids[0], ids[2]])
    expect(idsIn(await list('waiting=true'))).toEqual([])
    const counts = async (query: string) => (await list(query)).body.counts
    const none = { recorded: 0, approved: 0, sealed: 0, rejected: 0 }
    const all = { byStatus: { ...none, recorded: 3 }, waiting: 0 }
    for (const query of ['', 'status=sealed', 'waiting=true', 'limit=1&page=2']) {
      expect([query, await counts(query)]).toEqual([query, all])
    }
    for (const query of ['tag=a', `tag=a&from=2020-01-01T00:00:00Z&status=rejected`]) {
      expect([query, await counts(query)]).toEqual([query, { byStatus: { ...none, recorded: 2 }, waiting: 0 }])
    }
    await server.services.cells.of('main').inTenantJob(own.id, 'test', (tx) => advanceMark(tx, 2))
    expect(await counts('')).toEqual(all)
    expect((await counts('tag=a')).byStatus.recorded).toBe(2)
    expect((await counts('type=custom')).byStatus).toEqual(none)
    for (const query of ['offset=2', 'cursor=nowhere', 'limit=101']) expect((await list(query)).status).toBe(400)
  })

  it('says which decisions the member has opened', async () => {
    const [{ id, actionDigest }, { id: unopened }] = [await record(), await record()]
    await server.call('POST', `/api/decisions/${id}/opened`, { token, body: { actionDigest } })
    // Whoever does not say what was shown has opened nothing in particular.
    await server.call('POST', `/api/decisions/${unopened}/opened`, { token, body: {} })
    const colleague = await server.world.person()
    await server.world.member(colleague, center, 'INSTRUCTOR')
    const opened = async (own: string) => {
      const { body } = await server.call('GET', '/api/decisions?limit=2', { token: own })
      return body.data.map((item: { id: string; opened: boolean }) => [item.id, item.opened])
    }
    expect(await opened(token)).toEqual([
      [unopened, false],
      [id, true],
    ])
    const other = (await server.signIn(colleague, center.domain)).accessToken
    expect((await opened(other)).map(([, each]: [string, boolean]) => each)).toEqual([false, false])
  })
})

describe('comments', () => {
  it('are shown with the decision, in order, while it is open', async () => {
    const { id } = await record()
    const comment = (text: string) => server.call('POST', `/api/decisions/${id}/comments`, { token, body: { text } })
    const first = await comment('Why two?')
    const second = await comment('Because of week six.')
    expect(first.body.data).toMatchObject({ author: { id: admin.actorId }, text: 'Why two?' })
    const { body } = await server.call('GET', `/api/v1/decision-events/${id}`, { token: key })
    expect(body.data.comments).toEqual([first.body.data, second.body.data])
    await server.call('POST', `/api/decisions/${id}/approvals`, { token, body: { result: 'rejected' } })
    expect((await comment('Too late')).status).toBe(409)
    expect((await comment('')).status).toBe(400)
  })

  it('are told by webhook', async () => {
    const webhook = { url: 'https://consumer.example/hook', events: ['agent.approval.commented'] }
    await server.call('POST', '/api/v1/webhooks', { token: key, body: webhook })
    const { id, decisionId } = await record()
    await server.call('POST', `/api/decisions/${id}/comments`, { token, body: { text: 'Why?' } })
    const [told] = await server.world.query<{ data: string }>(
      `select data from cell.webhook_events where type = 'agent.approval.commented' and center_id = $1`,
      [center.id],
      true,
    )
    expect(JSON.parse(told?.data as string)).toMatchObject({
      eventId: id,
      decisionId,
      text: 'Why?',
      authorId: admin.actorId,
    })
  })
})

describe('a deputy', () => {
  const until = '2030-01-02T00:00:00.000Z'
  const put = (body: object) => server.call('PUT', '/api/decisions/deputy', { token, body })

  it('is an ACTIVE ADMIN or INSTRUCTOR of the center, named for a time', async () => {
    const [deputy, parent, suspended] = [
      await server.world.person(),
      await server.world.person(),
      await server.world.person(),
    ]
    await server.world.member(deputy, center, 'INSTRUCTOR')
    await server.world.member(parent, center, 'PARENT')
    await server.world.member(suspended, center, 'ADMIN', 'SUSPENDED')
    const from = '2030-01-01T00:00:00.000Z'
    const named = await put({ actorId: deputy.actorId, from, until })
    expect([named.status, named.body.data]).toMatchObject([200, { actorId: deputy.actorId, from, until }])
    for (const { actorId } of [parent, suspended, await server.world.person()]) {
      const { status, body } = await put({ actorId, from, until })
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await put({ actorId: admin.actorId, from, until })).status).toBe(409)
    expect((await put({ actorId: deputy.actorId, from: until, until })).status).toBe(400)
  })

  it('is shown to both, and its end too: at once, and before it begins', async () => {
    const deputy = await server.world.person()
    await server.world.member(deputy, center, 'INSTRUCTOR')
    const other = (await server.signIn(deputy, center.domain)).accessToken
    const both = async () =>
      Promise.all(
        [token, other].map(async (as) => (await server.call('GET', '/api/decisions/deputy', { token: as })).body.data),
      )
    const end = async (as = token) => (await server.call('DELETE', '/api/decisions/deputy', { token: as })).status
    for (const from of ['2026-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']) {
      await put({ actorId: deputy.actorId, from, until: new Date(Date.parse(from) + 89 * 86_400_000).toISOString() })
      if (from > '2030') {
        const [own, theirs] = await both()
        expect(own).toMatchObject({ deputy: { actorId: deputy.actorId, from }, deputyFor: [] })
        expect(theirs).toMatchObject({ deputy: null, deputyFor: [{ actorId: admin.actorId, from }] })
        // The deputy of somebody ends nothing but a right that they gave themselves.
        expect(await end(other)).toBe(204)
        expect((await both())[0].deputy).not.toBeNull()
      }
      expect(await end()).toBe(204)
      expect(await end()).toBe(204)
      expect(await both()).toEqual([
        { deputy: null, deputyFor: [] },
        { deputy: null, deputyFor: [] },
      ])
    }
  })
})
