import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { entriesAfter } from '../../integrity/verify-queries.ts'
import { pageBytes, textsWithin } from '../byte-pages.ts'
import type { TenantTx } from '../cells.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const inCenter = <T>(centerId: number, work: (tx: TenantTx) => Promise<T>) =>
  server.services.cells.of('main').inTenant({ requestId: 'req', actorId: null, centerId }, work)

describe('texts', () => {
  const lengths = async (sizes: readonly number[]) => {
    const texts = await inCenter(1, (tx) =>
      textsWithin(tx, sizes.length, (at) => sql`repeat('x', (${sizes}::integer[])[${at}])`),
    )
    return texts.map((text) => text.length)
  }

  it('end with the one that reaches the bound', async () => {
    const half = pageBytes / 2
    expect(await lengths([half - 1, half - 1, half, 1, 1])).toEqual([half - 1, half - 1, half])
    expect(await lengths([half, half, 1])).toEqual([half, half])
  })

  it('are at least one, and all when they fit', async () => {
    expect(await lengths([pageBytes * 2, 1])).toEqual([pageBytes * 2])
    expect(await lengths([3, 0, 5])).toEqual([3, 0, 5])
    expect(await lengths([])).toEqual([])
  })

  it('beyond the bound are not computed', async () => {
    const texts = inCenter(1, (tx) =>
      textsWithin(tx, 9, (at) => sql`repeat('x', ${pageBytes} / case when ${at} > 1 then 0 else 1 end)`),
    )
    expect((await texts).map((text) => text.length)).toEqual([pageBytes])
  })

  it('are measured in bytes, not in characters', async () => {
    const texts = await inCenter(1, (tx) => textsWithin(tx, 9, () => sql`repeat('€', ${pageBytes / 4})`))
    expect(texts).toHaveLength(2)
  })
})

describe('chain entries', () => {
  it('are read in pages of bounded bytes, and exported in full', async () => {
    const center = await server.world.center()
    // Compressed by PostgreSQL: the bound counts what is read, not what is stored.
    await server.world.query(
      `begin; set local session_replication_role = replica;
       insert into cell.entries (center_id, domain, id, previous_hash, sealed_at, template, hash, idx)
       select ${center.id}, 'dpu', gen_random_uuid(), p, s, c,
         sha256(convert_to(c || coalesce('sha256:' || encode(p, 'hex'), '') || s, 'UTF8')), i
       from (select i, '2026-11-15T09:30:00.000Z' as s, '{"text":"' || repeat('large ', 300000) || '"}' as c,
         case when i > 0 then decode(repeat('00', 32), 'hex') end as p from generate_series(0, 6) i) e; commit`,
    )
    const pages: number[] = []
    for (let after = -1; ; ) {
      const from = after
      const page = await inCenter(center.id, (tx) => entriesAfter(tx, 'dpu', from, 100, 500))
      if (page.length === 0) break
      pages.push(page.length)
      after = page.at(-1)?.idx as number
    }
    expect(pages).toEqual([2, 2, 2, 1])
    const key = await server.world.key(center)
    const { text } = await server.call('GET', '/api/v1/chains/dpu/entries', { token: key })
    const lines = text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).index)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})
