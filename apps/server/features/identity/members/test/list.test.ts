import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { peopleIn } from '../labels.ts'

let server: TestServer
let center: Center
let admin: Person
let token: string

const people = [
  ['김민지', 'minji@haneul.example', 'PARENT', 'ACTIVE'],
  ['Dana Kim', 'dana@haneul.example', 'INSTRUCTOR', 'ACTIVE'],
  ['Ian Park', 'ian@haneul.example', 'INSTRUCTOR', 'SUSPENDED'],
  ['=cmd, "x"', 'cmd@haneul.example', 'CHILD', 'ENDED'],
] as const

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  admin = await server.world.person({ email: 'boss@haneul.example' })
  await server.world.member(admin, center, 'ADMIN')
  for (const [name, email, role, status] of people) {
    const person = await server.world.person({ email, login: false })
    await server.world.query('update directory.actors set name = $2 where id = $1', [person.actorId, name])
    await server.world.member(person, center, role, status)
  }
  token = (await server.signIn(admin)).accessToken
})
afterAll(() => server.close())

const list = (query = '', as = token) => server.call('GET', `/api/centers/${center.id}/members?${query}`, { token: as })
const namesOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map((each: { name: string }) => each.name)

describe('GET /centers/{center}/members', () => {
  it('200 with every member, and the numbers for each filter', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.pagination).toMatchObject({ total: 5, hasMore: false, nextCursor: null })
    expect(body.counts).toEqual({
      byRole: { ADMIN: 1, INSTRUCTOR: 2, PARENT: 1, CHILD: 1 },
      byStatus: { INVITED: 0, PENDING: 0, ACTIVE: 3, SUSPENDED: 1, REJECTED: 0, ENDED: 1 },
      activeAdmins: 1,
      seats: null,
    })
  })

  it.each([
    ['role=INSTRUCTOR', ['Dana Kim', 'Ian Park'], { SUSPENDED: 1, ACTIVE: 1 }],
    ['status=ACTIVE&role=PARENT', ['김민지'], { ACTIVE: 1 }],
    ['search=%EB%AF%BC%EC%A7%80', ['김민지'], {}],
    ['search=KIM', ['Dana Kim'], {}],
    ['search=ian%40haneul', ['Ian Park'], {}],
    ['search=aneul', [], {}],
    ['search=%25', [], {}],
    ['search=an&role=INSTRUCTOR&status=SUSPENDED', ['Ian Park'], {}],
  ])('200 for %s', async (query, names, byStatus) => {
    const answer = await list(query)
    expect(namesOf(answer)).toEqual(names)
    expect(answer.body.pagination.total).toBe(names.length)
    expect(answer.body.counts.byStatus).toMatchObject(byStatus)
  })

  it('200 page by page and cursor by cursor, the same members in the same order', async () => {
    const all = namesOf(await list())
    const [byPage, byCursor]: string[][] = [[], []]
    let cursor = ''
    for (let page = 1; page <= 3; page++) {
      byPage?.push(...namesOf(await list(`limit=2&page=${page}`)))
      const next = await list(`limit=2${cursor}`)
      byCursor?.push(...namesOf(next))
      expect(next.body.pagination.total).toBe(5)
      cursor = `&cursor=${next.body.pagination.nextCursor}`
    }
    expect([byPage, byCursor, cursor]).toEqual([all, all, '&cursor=null'])
  })

  it.each(['limit=101', 'role=OWNER', 'status=GONE', 'cursor=mbr_nonsense', 'sort=name', 'search='])(
    '400 for %s',
    async (query) => {
      const { status, body } = await list(query)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  it('400 for the cursor of another center', async () => {
    const elsewhere = await server.world.center()
    const other = await server.world.person()
    await server.world.member(other, elsewhere)
    const theirs = await server.call('GET', `/api/centers/${elsewhere.id}/members`, {
      token: (await server.signIn(other)).accessToken,
    })
    expect(theirs.body.data).toHaveLength(1)
    expect((await list(`cursor=${theirs.body.data[0].id}`)).status).toBe(400)
  })
})

describe('GET /centers/{center}/members.csv', () => {
  it('200 with the members of the filters, quoted, and no formula', async () => {
    const { status, text, headers } = await server.call('GET', `/api/centers/${center.id}/members.csv?status=ENDED`, {
      token,
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const [head, line, end] = text.split('\r\n')
    expect(head).toBe('id,name,email,role,status,invitedAt,endedAt,actorId,roles')
    expect(line).toMatch(/^mbr_[0-9a-z]+,"'=cmd, ""x""",cmd@haneul\.example,CHILD,ENDED,20/)
    expect(end).toBe('')
  })
})

it('names behind the labels of a draft are those of members of this center, unless two share one', async () => {
  const { services, world } = server
  const elsewhere = await world.center()
  const [known, former, twin, invited, stranger] = await Promise.all(
    Array.from({ length: 5 }, () => world.person({ login: false })),
  )
  await world.member(known as Person, elsewhere, 'CHILD')
  await world.member(former as Person, elsewhere, 'CHILD', 'ENDED')
  await world.member(invited as Person, elsewhere, 'CHILD', 'INVITED')
  await world.query('update directory.memberships set accepted = false where actor_id = $1', [invited?.actorId])
  await world.member(stranger as Person, center, 'CHILD')
  await world.member(twin as Person, elsewhere, 'CHILD')
  const double = `${newUuid().slice(0, 28)}${twin?.actorId.slice(-8)}`
  await world.query(`insert into directory.actors (id, name) values ($1, 'Double')`, [double])
  await world.member({ actorId: double } as Person, elsewhere, 'CHILD')
  const labels = [known, former, twin, invited, stranger].map((each) => `…${each?.actorId.slice(-8)}`)
  const caller = { requestId: 'req_labels', actorId: null, centerId: elsewhere.id }
  const text = `client ${labels.join(', client ')}: …00000000, …zzzz`
  const named = (shown: readonly string[]) => shown.map((label) => ({ label, name: expect.stringMatching(/^Person/) }))
  const found = await peopleIn(services.directory, caller, text, async (ids) => new Set(ids))
  expect(found).toEqual(named(labels.slice(0, 2)))
  const some = await peopleIn(services.directory, caller, text, async () => new Set([former?.actorId ?? '']))
  expect(some).toEqual(named(labels.slice(1, 2)))
})
