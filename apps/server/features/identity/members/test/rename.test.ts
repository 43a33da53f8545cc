import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { typedId } from '../../../../lib/ids.ts'

let server: TestServer
let admin: Person
let center: Center

beforeAll(async () => {
  server = await startServer()
  admin = await server.world.person()
  center = await server.world.center()
  await server.world.member(admin, center)
})
afterAll(() => server.close())

async function member(role = 'INSTRUCTOR', status = 'ACTIVE', where = center, login = true) {
  const person = await server.world.person({ login })
  await server.world.member(person, where, role, status)
  const [row] = await server.world.query<{ id: string }>(
    'select id from directory.memberships where center_id = $1 and actor_id = $2',
    [where.id, person.actorId],
  )
  return { person, id: typedId('membership', row?.id as string) }
}
const tokenOf = async (person = admin, where = center) => (await server.signIn(person, where.domain)).accessToken
const rename = async (id: string, name: unknown, token?: string) =>
  server.call('PATCH', `/api/memberships/${id}`, { token: token ?? (await tokenOf()), body: { name } })

describe('an administrator corrects a name', () => {
  it('of staff: the center and the next session show it, the account elsewhere does not; with an entry', async () => {
    const { person, id } = await member()
    const before = await tokenOf(person)
    const { status, body } = await rename(id, ' 한이안 ')
    expect([status, body.data.name]).toEqual([200, '한이안'])
    expect((await server.call('GET', '/api/auth/me', { token: before })).body.data.name).toBe('한이안')
    const [account] = await server.world.query('select name from directory.actors where id = $1', [person.actorId])
    expect(account?.name).not.toBe('한이안')
    const entries = await server.world.query(
      `select details from directory.audit_entries where target_id = $1 and details->>'action' = 'renamed'`,
      [id],
    )
    expect(entries).toMatchObject([{ details: { changes: [{ field: 'name', old: account?.name, new: '한이안' }] } }])
  })

  it('of a child without an account, whom the parent then takes along by this name', async () => {
    const { person: child, id } = await member('CHILD', 'ACTIVE', center, false)
    const { person: parent } = await member('PARENT')
    await server.world.guardian(parent, child, center)
    expect((await rename(id, '정도윤')).status).toBe(200)
    const other = await server.world.center()
    await server.world.member(parent, other, 'PARENT')
    const added = await server.call('POST', `/api/centers/${other.domain}/children`, {
      token: await tokenOf(parent, other),
      body: { childId: child.actorId },
    })
    expect([added.status, added.body.data?.name]).toEqual([201, '정도윤'])
  })

  it('together with a role', async () => {
    const { id } = await member()
    const { body } = await server.call('PATCH', `/api/memberships/${id}`, {
      token: await tokenOf(),
      body: { name: 'New Name', role: 'PARENT' },
    })
    expect([body.data.name, body.data.role]).toEqual(['New Name', 'PARENT'])
  })

  it('of nobody who has not accepted: 409; in no other center: 404; in no other role: 403; no empty body: 400', async () => {
    const { id } = await member('INSTRUCTOR', 'INVITED')
    await server.world.query(
      `update directory.memberships set accepted = false where status = 'INVITED' and center_id = $1`,
      [center.id],
    )
    expect((await rename(id, 'Somebody')).status).toBe(409)
    const elsewhere = await server.world.center()
    const foreign = await member('INSTRUCTOR', 'ACTIVE', elsewhere)
    expect((await rename(foreign.id, 'Somebody')).status).toBe(404)
    const colleague = await member()
    expect((await rename(colleague.id, 'Somebody', await tokenOf(colleague.person))).status).toBe(403)
    for (const name of ['', ' ', 'www.example.com', 'a\u0000b'])
      expect((await rename(colleague.id, name)).status, JSON.stringify(name)).toBe(400)
    const empty = await server.call('PATCH', `/api/memberships/${colleague.id}`, { token: await tokenOf(), body: {} })
    expect(empty.status).toBe(400)
  })
})

describe('a center', () => {
  const call = (where: Center, name: string, token: string) =>
    server.call('PATCH', `/api/centers/${where.domain}`, { token, body: { name } })

  it('without a partner is renamed by its administrator, with an entry; its domain stays', async () => {
    const { status, body } = await call(center, '나무 발달센터', await tokenOf())
    expect([status, body.data.name, body.data.centerDomain]).toEqual([200, '나무 발달센터', center.domain])
    const entries = await server.world.query(
      `select details from directory.audit_entries where center_id = $1 and details->>'action' = 'rename'`,
      [center.id],
    )
    expect(entries).toMatchObject([{ details: { changes: [{ field: 'name', new: '나무 발달센터' }] } }])
    const { person } = await member()
    expect((await call(center, 'Other', await tokenOf(person))).status).toBe(403)
  })

  it('of a partner and a sandbox keep their names, in the database too', async () => {
    const owned = await server.world.center({ partner: await server.world.partner() })
    await server.world.member(admin, owned)
    const sandbox = await server.world.sandbox(center, admin)
    for (const where of [owned, sandbox]) {
      expect((await call(where, 'Other', await tokenOf(admin, where))).status).toBe(403)
      await expect(
        server.services.directory.asCenter({ requestId: 'test', actorId: admin.actorId, centerId: where.id }, (tx) =>
          tx.db.updateTable('centers').set({ name: 'Other' }).where('id', '=', where.id).execute(),
        ),
      ).rejects.toThrow()
    }
  })

  it('changes neither its status nor its place by itself', async () => {
    for (const set of [{ status: 'SUSPENDED' }, { country: 'US' }])
      await expect(
        server.services.directory.asCenter({ requestId: 'test', actorId: admin.actorId, centerId: center.id }, (tx) =>
          tx.db.updateTable('centers').set(set).where('id', '=', center.id).execute(),
        ),
      ).rejects.toThrow()
  })
})
