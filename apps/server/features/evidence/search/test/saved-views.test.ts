/** Searches under a name: an owner's own, those that a center's staff shares, and what bounds them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { newId, newUuid } from '../../../../lib/ids.ts'
import { type Colleague, type Office, openOffice } from '../../decisions/test/fixture.ts'

let server: TestServer
let office: Office
let colleague: Colleague
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  office = await openOffice(server)
  colleague = await office.join('INSTRUCTOR')
})

const filters = { tag: 'refunds', minAmount: 1_000_000, from: '2026-11-01' }
const put = (who: { token: string }, body: object) =>
  server.call('PUT', '/api/views', { token: who.token, body: { name: 'Large refunds', filters, ...body } })
const list = async (who: { token: string }) =>
  (await server.call('GET', '/api/views', { token: who.token })).body.data as readonly {
    readonly id: string
    readonly name: string
    readonly shared: boolean
    readonly filters: object
  }[]
const names = async (who: { token: string }) =>
  (await list(who)).map(({ name, shared }) => (shared ? `shared ${name}` : name))
const remove = (who: { token: string }, id: string) => server.call('DELETE', `/api/views/${id}`, { token: who.token })
const rows = () =>
  server.world.query<{ owner_id: string | null; name: string }>(
    'select owner_id, name from directory.saved_views where center_id = $1 order by name',
    [office.center.id],
  )
const entries = async () =>
  (
    await server.world.query<{ action: string }>(
      `select details ->> 'action' as action from directory.audit_entries
       where center_id = $1 and details ->> 'action' like 'view%' order by occurred_at, id`,
      [office.center.id],
    )
  ).map(({ action }) => action)

describe('200 and 204', () => {
  it('saves, changes by name and deletes a view that nobody else sees', async () => {
    const saved = await put(colleague, {})
    expect([saved.status, saved.body.data.shared, saved.body.data.filters]).toEqual([200, false, filters])
    const changed = await put(colleague, { filters: { waiting: true } })
    expect(changed.body.data.id).toBe(saved.body.data.id)
    expect(await list(colleague)).toMatchObject([{ name: 'Large refunds', filters: { waiting: true } }])
    expect(await list(office.admin)).toEqual([])
    expect((await remove(office.admin, saved.body.data.id)).status).toBe(404)
    expect((await remove(colleague, saved.body.data.id)).status).toBe(204)
    expect([await list(colleague), await entries()]).toEqual([[], []])
  })

  it.each(['large  REFUNDS', ' Large refunds ', 'Ｌａｒｇｅ ｒｅｆｕｎｄｓ', 'Lar\u200bge refunds'])(
    'takes “%s” for the same name',
    async (name) => {
      await put(colleague, {})
      expect((await put(colleague, { name })).status).toBe(200)
      expect(await list(colleague)).toHaveLength(1)
    },
  )

  it('shares a view with the staff, in place of the own one, and says so in the audit', async () => {
    await put(office.admin, {})
    const shared = await put(office.admin, { shared: true })
    await put(office.admin, { shared: true, filters: { waiting: true } })
    await put(colleague, {})
    expect(await names(office.admin)).toEqual(['shared Large refunds'])
    expect(await names(colleague)).toEqual(['shared Large refunds', 'Large refunds'])
    const other = await office.join('ADMIN')
    expect((await remove(other, shared.body.data.id)).status).toBe(204)
    expect(await names(colleague)).toEqual(['Large refunds'])
    expect(await entries()).toEqual(['view_shared', 'view_changed', 'view_removed'])
  })

  it('keeps a view whose person and policy are unknown', async () => {
    const gone = { personId: newUuid(), policyId: newId('policy') }
    expect((await put(colleague, { filters: gone })).status).toBe(200)
    expect(await list(colleague)).toMatchObject([{ filters: gone }])
  })

  it('fifty saves of one name at once are one view', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => put(colleague, { filters: { minAmount: at } })),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await list(colleague)).toHaveLength(1)
  })
})

describe('400', () => {
  it.each([
    { name: '' },
    { name: '   ' },
    { name: '\u200b\u2060' },
    { name: 'a\nb' },
    { name: 'x'.repeat(81) },
    { filters: {} },
    { filters: { anything: true } },
    { filters: { q: 'x'.repeat(201) } },
    { filters: { from: '2026-13-01' } },
    { filters: { status: 'lost' } },
    { filters: { q: '\u0001'.repeat(200), agentId: '\u0001'.repeat(255) } },
    { shared: 'yes' },
  ])('refuses %j', async (body) => {
    expect((await put(office.admin, body)).status).toBe(400)
  })
})

describe('401, 403 and 404', () => {
  it('needs a session, and a member of the staff', async () => {
    const family = await office.join('PARENT')
    expect((await server.call('GET', '/api/views')).status).toBe(401)
    expect((await server.call('GET', '/api/views', { token: office.key })).status).toBe(401)
    expect((await server.call('GET', '/api/views', { token: family.token })).status).toBe(403)
    expect((await put(family, {})).status).toBe(403)
  })

  it('lets only an ADMIN share, change a shared one, or delete it', async () => {
    const shared = await put(office.admin, { shared: true })
    expect((await put(colleague, { shared: true })).status).toBe(403)
    expect((await put(colleague, { name: 'Another', shared: true })).status).toBe(403)
    expect((await remove(colleague, shared.body.data.id)).status).toBe(403)
    expect(await names(colleague)).toEqual(['shared Large refunds'])
  })

  it("finds nothing of another center, and nothing of one's own in another center", async () => {
    const elsewhere = await openOffice(server)
    const own = (await put(office.admin, {})).body.data.id as string
    const shared = (await put(office.admin, { name: 'All', shared: true })).body.data.id as string
    expect(await list(elsewhere.admin)).toEqual([])
    expect((await remove(elsewhere.admin, own)).status).toBe(404)
    expect((await remove(elsewhere.admin, shared)).status).toBe(404)
    await server.world.member(office.admin.person, elsewhere.center, 'ADMIN')
    const there = (await server.signIn(office.admin.person, elsewhere.center.domain)).accessToken
    expect(await list({ token: there })).toEqual([])
    expect(await names(office.admin)).toEqual(['shared All', 'Large refunds'])
  })
})

describe('409', () => {
  it('fifty views each, and fifty shared: of many at once no more are kept', { timeout: 60_000 }, async () => {
    const saves = (shared: boolean) =>
      Promise.all(Array.from({ length: 55 }, (_, at) => put(office.admin, { name: `view ${at}`, shared })))
    for (const shared of [true, false]) {
      const statuses = (await saves(shared)).map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array(50).fill(200), ...Array(5).fill(409)])
    }
    // Another person has a count of their own, and a change is no new view.
    expect((await put(colleague, {})).status).toBe(200)
    const [{ name } = { name: '' }] = (await list(office.admin)).filter(({ shared }) => !shared)
    expect((await put(office.admin, { name })).status).toBe(200)
  })

  it('the database refuses what the operations would not send', async () => {
    const insert = (name: string, json: string) =>
      server.world.query(
        `insert into directory.saved_views (center_id, id, owner_id, name, filters, updated_at)
         values ($1, $2, $3, $4, $5, now())`,
        [office.center.id, newUuid(), colleague.id, name, json],
        true,
      )
    await expect(insert('x', '[]')).rejects.toThrow('check')
    await expect(insert('x', JSON.stringify({ q: 'x'.repeat(2100) }))).rejects.toThrow('check')
    await expect(insert('\u200b', '{}')).rejects.toThrow('check')
    await expect(insert('x'.repeat(81), '{}')).rejects.toThrow('check')
  })
})

describe('who leaves', () => {
  it('takes the own views along, and leaves the shared ones, without an owner', async () => {
    const other = await office.join('ADMIN')
    await put(other, { name: 'Own' })
    await put(other, { name: 'For all', shared: true })
    await put(colleague, {})
    await server.call('DELETE', `/api/auth/me?actorId=${other.id}`, { token: other.token })
    const { token } = colleague
    expect(await names(colleague)).toEqual(['shared For all', 'Large refunds'])
    expect(await rows()).toEqual([
      { owner_id: null, name: 'For all' },
      { owner_id: colleague.id, name: 'Large refunds' },
    ])
    await server.world.query(
      `update directory.memberships set status = 'ENDED', ended_at = now() where center_id = $1 and actor_id = $2`,
      [office.center.id, colleague.id],
      true,
    )
    expect((await rows()).map(({ name }) => name)).toEqual(['For all'])
    expect((await server.call('GET', '/api/views', { token })).status).toBe(403)
  })
})
