/** Several roles of one member: what the operations accept, what the database keeps, and who sees what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { typedId } from '../../../../lib/ids.ts'

let mailbox: Mailbox
let server: TestServer
let center: Center
let token: string
let own: string

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  const made = await centerWithAdmin()
  center = made.center
  token = made.token
  own = made.id
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

async function memberOf(at: Center, role: 'ADMIN' | 'INSTRUCTOR' | 'PARENT' = 'ADMIN') {
  const person = await server.world.person()
  await server.world.member(person, at, role)
  const [row] = await server.world.query<{ id: string }>('select id from directory.memberships where actor_id = $1', [
    person.actorId,
  ])
  const { accessToken } = await server.signIn(person, at.domain)
  return { person, id: typedId('membership', row?.id as string), token: accessToken }
}

async function centerWithAdmin() {
  const made = await server.world.center()
  return { center: made, ...(await memberOf(made)) }
}

const patch = (id: string, body: object, as = token) =>
  server.call('PATCH', `/api/memberships/${id}`, { token: as, body })
const invite = (body: object, as = token) =>
  server.call('POST', `/api/centers/${center.id}/members`, {
    token: as,
    body: { email: 'new@people.example', ...body },
  })
const list = async (query: string) =>
  (await server.call('GET', `/api/centers/${center.id}/members?${query}`, { token })).body
const instructors = async () =>
  (await server.call('GET', `/api/centers/${center.id}/instructors`, { token })).body.data as {
    id: string
    role: string
  }[]

describe('PATCH /memberships/{id}', () => {
  it('200 gives a director the role of an instructor: bookable, with hours, and still a director', async () => {
    const me = (await server.call('GET', '/api/auth/me', { token })).body.data
    const answer = await patch(own, { roles: ['INSTRUCTOR', 'ADMIN'] })
    expect([answer.status, answer.body.data]).toMatchObject([200, { role: 'ADMIN', roles: ['ADMIN', 'INSTRUCTOR'] }])
    expect(await instructors()).toEqual([expect.objectContaining({ id: me.actorId, role: 'ADMIN' })])
    const hours = { hours: { mon: [{ from: '10:00', to: '15:00' }] }, specialties: ['speech'] }
    const path = `/api/centers/${center.id}/instructors/${me.actorId}/hours`
    expect((await server.call('PUT', path, { token, body: hours })).status).toBe(200)
    const after = (await server.call('GET', '/api/auth/me', { token })).body.data
    expect([after.role, after.memberships[0].roles]).toEqual(['ADMIN', ['ADMIN', 'INSTRUCTOR']])
    const [entry] = await server.world.query<{ details: object }>(
      'select details from directory.audit_entries where target_id = $1',
      [own],
    )
    expect(entry?.details).toEqual({ action: 'role', fromRoles: 'ADMIN', toRoles: 'ADMIN, INSTRUCTOR' })
    expect((await patch(own, { role: 'ADMIN' })).body.data.roles).toEqual(['ADMIN'])
    expect(await instructors()).toEqual([])
  })

  it('200 lets a parent who teaches do what both may', async () => {
    const parent = await memberOf(center, 'PARENT')
    const calls = () =>
      Promise.all([
        server.call('GET', '/api/workflows', { token: parent.token }),
        server.call('POST', `/api/centers/${center.id}/children`, { token: parent.token, body: { name: 'Ha-neul' } }),
      ])
    expect((await calls()).map(({ status }) => status)).toEqual([403, 201])
    await patch(parent.id, { roles: ['PARENT', 'INSTRUCTOR'] })
    expect((await calls()).map(({ status }) => status)).toEqual([200, 201])
    await patch(parent.id, { role: 'INSTRUCTOR' })
    expect((await calls()).map(({ status }) => status)).toEqual([200, 403])
  })

  it.each([
    ['no role', {}],
    ['both', { role: 'ADMIN', roles: ['ADMIN'] }],
    ['an empty set', { roles: [] }],
    ['a role twice', { roles: ['ADMIN', 'ADMIN'] }],
    ['an unknown role', { roles: ['ADMIN', 'OWNER'] }],
  ])('400 for %s', async (_, body) => {
    expect((await patch(own, body)).body.error.code).toBe('VALIDATION_ERROR')
  })

  it('401, 403 and 404 without a right to it', async () => {
    const teacher = await memberOf(center, 'INSTRUCTOR')
    const foreign = await centerWithAdmin()
    const roles = { roles: ['ADMIN', 'INSTRUCTOR'] }
    expect((await server.call('PATCH', `/api/memberships/${own}`, { body: roles })).status).toBe(401)
    expect((await patch(teacher.id, roles, teacher.token)).body.error.code).toBe('INSUFFICIENT_ROLE')
    expect((await patch(own, roles, foreign.token)).body.error.code).toBe('NOT_FOUND')
  })

  it('409 where the last ADMIN would only teach; the role of an instructor may come and go', async () => {
    const alone = await centerWithAdmin()
    const of = (...roles: string[]) => patch(alone.id, { roles }, alone.token)
    expect((await of('ADMIN', 'INSTRUCTOR')).status).toBe(200)
    expect((await of('INSTRUCTOR')).body.error.code).toBe('CONFLICT')
    expect((await of('ADMIN')).status).toBe(200)
  })
})

describe('POST /centers/{center}/members', () => {
  it('201 invites with several roles, which acceptance gives and a second invitation repeats', async () => {
    const email = 'two@people.example'
    const roles = ['INSTRUCTOR', 'PARENT']
    const { status, body } = await invite({ email, roles, approved: true })
    expect([status, body.data]).toMatchObject([201, { role: 'INSTRUCTOR', roles, status: 'INVITED' }])
    await mailbox.token(email, 'csi')
    expect(mailbox.messages.find(({ to }) => to.includes(email))?.text).toContain('강사, 학부모')
    const again = await server.call('POST', `/api/memberships/${body.data.id}/reinvite`, { token })
    expect(again.body.data.roles).toEqual(roles)
    const other = await invite({ email, role: 'PARENT' })
    expect(other.body.data).toMatchObject({ id: body.data.id, roles: ['PARENT'] })
  })

  it('400 for both members and for neither', async () => {
    expect((await invite({})).status).toBe(400)
    expect((await invite({ role: 'PARENT', roles: ['PARENT'] })).status).toBe(400)
  })
})

it('a list by role has members of several roles in each, and counts them once in all', async () => {
  const both = await memberOf(center, 'PARENT')
  const before = await list('limit=1')
  await patch(both.id, { roles: ['INSTRUCTOR', 'PARENT'] })
  const after = await list('limit=1')
  const byRole = (body: typeof before) => body.counts.byRole as Record<string, number>
  expect(after.pagination.total).toBe(before.pagination.total)
  expect(byRole(after)).toEqual({ ...byRole(before), INSTRUCTOR: (byRole(before).INSTRUCTOR ?? 0) + 1 })
  for (const role of ['INSTRUCTOR', 'PARENT']) {
    for (const query of [`role=${role}&limit=100`, `role=${role}&status=ACTIVE&limit=100`]) {
      const page = await list(query)
      expect(page.data.map(({ id }: { id: string }) => id)).toContain(both.id)
      expect(page.pagination.total).toBe(page.data.length)
    }
  }
})

describe('the database', () => {
  const set = (columns: string) =>
    server.world.query(`update directory.memberships set ${columns} where center_id = $1 returning role, roles`, [
      center.id,
    ])

  it.each([
    ["roles = '{}'"],
    ['roles = null'],
    ["roles = array['OWNER']"],
    ["roles = array['ADMIN', null]"],
    ["role = 'OWNER'"],
  ])('refuses %s', async (columns) => {
    await expect(set(columns)).rejects.toThrow(/violates/)
  })

  it('keeps the highest role of the set, in whatever order it is given', async () => {
    const alone = await memberOf(await server.world.center())
    const one = (columns: string) =>
      server.world.query<{ role: string; roles: string[] }>(
        `update directory.memberships set ${columns} where actor_id = $1 returning role, roles`,
        [alone.person.actorId],
      )
    const [row] = await one("roles = array['CHILD', 'ADMIN', 'INSTRUCTOR', 'ADMIN'], role = 'CHILD'")
    expect(row).toEqual({ role: 'ADMIN', roles: ['ADMIN', 'INSTRUCTOR', 'CHILD'] })
    const [set] = await one("role = 'INSTRUCTOR'")
    expect(set).toEqual({ role: 'INSTRUCTOR', roles: ['INSTRUCTOR'] })
  })
})

it('of fifty who change the roles of the last two ADMINs, one of these stays', async () => {
  const one = await centerWithAdmin()
  const other = await memberOf(one.center)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const [by, about] = n % 2 ? [one, other] : [other, one]
      return patch(about.id, { roles: n % 3 === 0 ? ['INSTRUCTOR', 'PARENT'] : ['INSTRUCTOR'] }, by.token)
    }),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => ![200, 403, 409].includes(status))).toEqual([])
  const [row] = await server.world.query<{ admins: number; said: number }>(
    `select admin_count as admins, (select count(*)::int from directory.memberships m
      where m.center_id = c.id and 'ADMIN' = any (m.roles)) as said from directory.centers c where id = $1`,
    [one.center.id],
  )
  expect(row).toEqual({ admins: 1, said: 1 })
})
