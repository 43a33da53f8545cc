import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let center: Center
let admin: Person
let token: string

const day = 86_400_000
const start = Date.parse('2026-03-10T12:00:00Z')

/** Forty entries, an hour apart, alternating between the directory and the cell, two at each time. */
beforeAll(async () => {
  server = await startServer({ cells: ['north'] })
  center = await server.world.center({ cell: 'north' })
  admin = await server.world.person()
  await server.world.member(admin, center)
  token = (await server.signIn(admin, center.domain)).accessToken
  const cell = server.databases[1]?.url as string
  const { default: pg } = await import('pg')
  const north = new pg.Client({ connectionString: cell })
  await north.connect()
  const insert = (schema: string) => `
    insert into ${schema}.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
    select $1, gen_random_uuid(), case when n % 5 = 0 then 'policy.changed' else 'dpu.changed' end,
      $2::timestamptz + n * interval '1 hour', 'req', case when n < 3 then $3 end, 'dpu', 'dpu_' || n % 4, '{"action":"created"}'
    from generate_series(0, 19) n`
  const values = [center.id, new Date(start).toISOString(), admin.actorId]
  await server.world.query(insert('directory'), values)
  await north.query(insert('cell'), values)
  await north.end()
})
afterAll(() => server.close())

const list = (query: string, as = token) => server.call('GET', `/api/audit?${query}`, { token: as })
const past = `to=${new Date(start + 10 * day).toISOString()}`

describe('GET /audit', () => {
  it('200 with the entries of the directory and of the cell, newest first, and the numbers by type', async () => {
    const { status, body } = await list(`${past}&limit=100`)
    expect(status).toBe(200)
    expect(body.data).toHaveLength(40)
    const times = body.data.map((each: { occurredAt: string }) => each.occurredAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(body.counts.byType).toMatchObject({ 'dpu.changed': 32, 'policy.changed': 8, 'api_key.changed': 0 })
    expect(body.data.at(-1)).toMatchObject({ actorId: admin.actorId, actorName: expect.stringMatching(/^Person /) })
    expect(body.pagination).toMatchObject({ total: 40, nextCursor: null })
  })

  it.each([
    ['type=policy.changed', 8],
    [`targetId=dpu_1`, 10],
    [`targetId=dpu_0&type=policy.changed`, 2],
    [`from=${new Date(start + 5 * 3_600_000).toISOString()}`, 30],
    [`from=2026-03-11T00:00:00.000Z`, 16],
    [`from=2026-03-10T13:30:00Z&to=2026-03-11T02:30:00%2B01:00`, 24],
    [`from=2026-03-10T13:30:00Z&to=2026-03-10T15:30:00Z`, 4],
    ['targetId=nothing', 0],
  ])('200 with exactly what matches: %s', async (query, total) => {
    const range = query.includes('to=') ? query : `${query}&${past}`
    const { body } = await list(`${range}&limit=100`)
    expect([body.data.length, body.pagination.total]).toEqual([total, total])
    expect(
      Object.values(body.counts.byType as Record<string, number>).reduce((a, b) => a + b, 0),
    ).toBeGreaterThanOrEqual(total)
  })

  it('200 by the actor, with the name', async () => {
    const { body } = await list(`actorId=${admin.actorId}&${past}`)
    expect(body.pagination.total).toBe(6)
  })

  it('200 page by page and cursor by cursor, each entry once', async () => {
    const idsOf = (data: { id: string }[]) => data.map(({ id }) => id)
    const all = idsOf((await list(`${past}&limit=100`)).body.data)
    const [byPage, byCursor]: string[][] = [[], []]
    let cursor = ''
    for (let page = 1; page <= 6; page++) {
      byPage?.push(...idsOf((await list(`${past}&limit=7&page=${page}`)).body.data))
      const next = await list(`${past}&limit=7${cursor}`)
      byCursor?.push(...idsOf(next.body.data))
      cursor = `&cursor=${next.body.pagination.nextCursor}`
    }
    expect([byPage, byCursor, cursor]).toEqual([all, all, '&cursor=null'])
  })

  it('200 shows settings with old and new values, and the member that was changed', async () => {
    const path = `/api/centers/${center.id}`
    await server.call('PATCH', `${path}/settings`, {
      token,
      body: { booking: { slotMinutes: 45 }, features: { rooms: true } },
    })
    const settings = (await list('type=settings.updated')).body.data[0]
    expect(settings).toMatchObject({ action: 'center', targetId: String(center.id), targetName: null })
    expect(settings.details.changes).toEqual([
      { field: 'booking.slotMinutes', old: expect.any(Number), new: 45 },
      { field: 'features.rooms', old: null, new: true },
    ])
    const person = await server.world.person()
    await server.world.member(person, center, 'PARENT')
    const members = await server.call('GET', `${path}/members?search=${person.email}`, { token })
    await server.call('POST', `/api/memberships/${members.body.data[0].id}/suspend`, { token })
    const [moved] = (await list('type=membership.transitioned')).body.data
    expect(moved).toMatchObject({
      action: 'suspend',
      targetName: members.body.data[0].name,
      details: { to: 'SUSPENDED' },
    })
  })

  it.each(['type=unknown', 'from=yesterday', 'page=1000', 'cursor=aud_nonsense', 'limit=0', 'startDate=2026-01-01'])(
    '400 for %s',
    async (query) => {
      const { status, body } = await list(query)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})

describe('GET /audit.csv', () => {
  it('200 with every entry of the filters', async () => {
    const { text, status } = await server.call('GET', `/api/audit.csv?type=dpu.changed&${past}`, { token })
    const lines = text.trimEnd().split('\r\n')
    expect([status, lines.length]).toEqual([200, 33])
    expect(lines[1]).toMatch(/^2026-03-11T07:00:00\.000Z,dpu\.changed,created,,,dpu,dpu_3,,aud_\w+,\{\}$/)
  })
})
