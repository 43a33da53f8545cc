/** A partner with centers in two cells and entries in three databases, which it reads as one list. */
import { audit } from '@countersign/server/audit/audit.ts'
import { useClock } from '@countersign/server/lib/clock.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'
import { codeOf, memberOf, openPartner, type PartnerFixture } from './fixture.ts'

const path = '/partner/audit'
const dayMs = 86_400_000
let server: TestServer
let partner: PartnerFixture
let centers: (Center & { cell: string })[]

beforeAll(async () => {
  server = await startServer({ cells: ['east', 'west'] })
  partner = await openPartner(server)
  centers = []
  for (const cell of ['east', 'west', 'east']) centers.push({ ...(await partner.center({ cell })), cell })
  await fill()
})
afterAll(() => server.close())

interface Entry {
  id: string
  type: string
  occurredAt: string
  centerId: number | null
  centerName: string | null
  targetId: string
  details: { action: string; n?: number }
}

/** An entry at a given time, in the center's cell or in the directory. */
async function leave(center: Center & { cell: string }, where: 'cell' | 'directory', at: number, n: number) {
  const restore = useClock(() => at)
  const caller = { requestId: 'req_fill', actorId: newUuid(), centerId: center.id }
  const entry = {
    type: 'settings.updated' as const,
    action: 'hours' as const,
    target: { type: 'center', id: String(center.id) },
    details: { n },
  }
  try {
    if (where === 'cell') await server.services.cells.of(center.cell).inTenant(caller, (tx) => audit(tx, entry))
    else await server.services.directory.asCenter(caller, (tx) => audit(tx, entry))
  } finally {
    restore()
  }
}

const start = Date.parse('2025-03-01T00:00:00.000Z')
const total = 60

/** Sixty entries over ten days, six a day, alternating between the databases; every third shares its millisecond with another. */
async function fill() {
  for (let n = 0; n < total; n++) {
    const center = centers[n % 3] as (typeof centers)[0]
    const at = start + Math.floor(n / 6) * dayMs + (n % 6) * 3_600_000 - (n % 3 === 2 ? 3_600_000 : 0)
    await leave(center, n % 2 === 0 ? 'cell' : 'directory', at, n)
  }
  const others = await openPartner(server)
  for (const cell of ['east', 'west']) {
    const theirs = { ...(await others.center({ cell })), cell }
    await leave(theirs, 'cell', start + dayMs, 1000)
    await leave(theirs, 'directory', start + dayMs, 1001)
    const unowned = { ...(await server.world.center({ cell })), cell }
    await leave(unowned, 'cell', start + dayMs, 1002)
  }
  await others.call('PATCH', '/partner/settings', { theirs: true })
}

const spring = 'startDate=2025-03-01&endDate=2025-03-10'
const ask = async (query: string) => {
  const { status, body } = await partner.call('GET', `${path}?${query}`)
  expect(status).toBe(200)
  return { entries: body.data as Entry[], pagination: body.pagination }
}

const inOrder = (entries: readonly Entry[]): boolean =>
  entries.every((entry, index) => {
    const before = entries[index - 1]
    return (
      !before ||
      before.occurredAt > entry.occurredAt ||
      (before.occurredAt === entry.occurredAt && before.id > entry.id)
    )
  })

describe('200', () => {
  it('merges the directory and all cells, newest first, without gaps or duplicates', async () => {
    const { entries, pagination } = await ask(`${spring}&limit=100`)
    expect(pagination).toEqual({ page: 1, limit: 100, total, totalPages: 1, hasMore: false })
    expect(entries.map(({ details }) => details.n).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: total }, (_, n) => n),
    )
    expect(inOrder(entries)).toBe(true)
    expect(new Set(entries.map(({ occurredAt }) => occurredAt)).size).toBeLessThan(total)
  })

  it.each([1, 7, 25, 59, 60])('is the same list in pages of %i', async (limit) => {
    const { entries: all } = await ask(`${spring}&limit=100`)
    const pages: Entry[] = []
    for (let page = 1; page <= Math.ceil(total / limit) + 1; page++) {
      const { entries, pagination } = await ask(`${spring}&limit=${limit}&page=${page}`)
      expect(pagination).toMatchObject({ page, total, hasMore: page * limit < total })
      pages.push(...entries)
    }
    expect(pages).toEqual(all)
  })

  it.each([
    ['startDate=2025-03-03&endDate=2025-03-03', 6],
    ['startDate=2025-03-09&endDate=2025-03-10', 12],
    ['endDate=2025-03-02', 12],
    ['endDate=2025-02-28', 0],
    ['startDate=0000-01-01&endDate=0000-12-31', 0],
    ['startDate=9999-12-31&endDate=9999-12-31', 0],
  ])('includes both days: %s', async (query, expected) => {
    const { entries, pagination } = await ask(query)
    expect([entries.length, pagination.total]).toEqual([expected, expected])
  })

  it('reads few entries of a busy day, however far back the page is', async () => {
    const busy = await openPartner(server)
    const own = { ...(await busy.center({ cell: 'east' })), cell: 'east' }
    // 1,440 entries in the cell, one a minute, and 1,400 within ten seconds of the last minute.
    for (const [count, step] of [
      [1440, '1 minute'],
      [1400, '7 milliseconds'],
    ] as const) {
      await server.services.cells.of(own.cell).inTenant({ requestId: 'r', actorId: null, centerId: own.id }, (tx) =>
        sql`insert into cell.audit_entries (center_id, id, type, occurred_at, request_id, target_type, target_id, details)
            select ${own.id}, gen_random_uuid(), 'settings.updated',
              timestamptz '2024-05-05 00:00Z' + ${step === '1 minute' ? '0' : '23:59:30'}::interval + i * ${step}::interval,
              'r', 'center', '1', '{"action":"filled"}' from generate_series(0, ${count - 1}::integer) i`.execute(
          tx.db,
        ),
      )
    }
    const day = 'startDate=2024-05-05&endDate=2024-05-05'
    const listed: Entry[] = []
    const cell = server.services.cells.of(own.cell)
    const asCenters = vi.spyOn(cell, 'asCenters')
    for (let page = 1; page <= 29; page++) {
      listed.push(...((await busy.call('GET', `${path}?${day}&limit=100&page=${page}`)).body.data as Entry[]))
    }
    expect([listed.length, new Set(listed.map(({ id }) => id)).size, inOrder(listed)]).toEqual([2840, 2840, true])
    const read = (await Promise.all(asCenters.mock.results.map(({ value }) => value))) as { id?: string }[][]
    expect(Math.max(...read.map((rows) => rows.filter(({ id }) => id).length))).toBeLessThanOrEqual(600)
    asCenters.mockRestore()
  })

  it('assigns the last millisecond of a day to that day, in UTC', async () => {
    const [center] = centers as [(typeof centers)[0]]
    await leave(center, 'cell', Date.parse('2024-06-30T23:59:59.999Z'), 1)
    await leave(center, 'cell', Date.parse('2024-07-01T00:00:00.000Z'), 2)
    const on = async (day: string) =>
      (await ask(`startDate=${day}&endDate=${day}`)).entries.map(({ details }) => details.n)
    expect([await on('2024-06-30'), await on('2024-07-01')]).toEqual([[1], [2]])
  })

  it('shows sessions, members and settings of its centers and its own, with actor, center and target', async () => {
    const [center] = centers as [(typeof centers)[0]]
    const admin = await memberOf(server, center, 'ADMIN')
    const { accessToken: token } = await server.signIn(admin, center.domain)
    await server.call('PATCH', `/api/centers/${center.id}/settings`, { token, body: { locale: 'en' } })
    await partner.call('PATCH', '/partner/settings', { ours: true })
    await partner.call('PATCH', `/partner/centers/${center.id}`, { status: 'SUSPENDED' })
    await partner.call('PATCH', `/partner/centers/${center.id}`, { status: 'ACTIVE' })
    const today = new Date().toISOString().slice(0, 10)
    const { entries } = await ask(`startDate=${today}`)
    expect(entries.map(({ type, details, centerId }) => [type, details.action, centerId])).toEqual([
      ['center.updated', 'reinstate', center.id],
      ['center.updated', 'suspend', center.id],
      ['settings.updated', 'partner', null],
      ['settings.updated', 'center', center.id],
      ['session.changed', 'start', center.id],
    ])
    expect(entries[4]).toMatchObject({
      actorId: admin.actorId,
      centerName: `Center ${center.domain}`,
      targetType: 'session',
    })
    expect(entries[4]?.id).toMatch(/^aud_/)
  })

  it('is open to operators of the partner', async () => {
    const { status, body } = await partner.asOperator('GET', `${path}?${spring}`)
    expect([status, body.pagination.total]).toEqual([200, total])
  })

  it('is empty for a partner without centers', async () => {
    const fixture = await openPartner(server)
    expect((await fixture.call('GET', path)).body).toMatchObject({ data: [], pagination: { total: 0, totalPages: 0 } })
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each(['startDate=2025-03-02&endDate=2025-03-01', 'startDate=2025-02-30', 'endDate=yesterday', 'limit=101'])(
    '%s',
    async (query) => {
      expect(codeOf(await partner.call('GET', `${path}?${query}`))).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})

describe('503 SERVICE_UNAVAILABLE', () => {
  it('while one of its centers is in a cell that this process does not know, because the list would be incomplete', async () => {
    const fixture = await openPartner(server)
    await fixture.center({ cell: 'north' })
    expect(codeOf(await fixture.call('GET', path))).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect((await fixture.call('GET', '/partner/centers')).status).toBe(200)
  })
})
