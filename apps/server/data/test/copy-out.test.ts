import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Cell, TenantTx } from '../cells.ts'
import type { CopiedRow } from '../copy-out.ts'

let server: TestServer
let cell: Cell
beforeAll(async () => {
  // One connection, so that each scan meets the state that the previous one left.
  server = await startServer({ env: { POOL_SIZE: '1' } })
  cell = server.services.cells.of('main')
})
afterAll(() => server.close())

const inCenter = <T>(centerId: number, work: (tx: TenantTx) => Promise<T>) =>
  cell.inTenant({ requestId: 'req', actorId: null, centerId }, work)

async function copied(query: string, columns: number): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  const read = (row: CopiedRow) => void rows.push(Array.from({ length: columns }, (_, column) => row.text(column)))
  await inCenter(1, (tx) => tx.copy(query, read))
  return rows
}

describe('copies', () => {
  it('texts, empty texts and nulls, in any number of rows', async () => {
    expect(await copied(`values ('a', '', null), ('Żółć € 😀', null, 'c'::text)`, 3)).toEqual([
      ['a', '', null],
      ['Żółć € 😀', null, 'c'],
    ])
    expect(await copied(`select 'x'::text where false`, 1)).toEqual([])
    const many = await copied(`select i::text, repeat(i::text, 300) from generate_series(1, 5000) i`, 2)
    expect(many).toEqual(Array.from({ length: 5000 }, (_, i) => [`${i + 1}`, `${i + 1}`.repeat(300)]))
  })

  it('rows larger than one socket read', async () => {
    const [row] = await copied(`select repeat('ab', 500000), 'end'::text`, 2)
    expect(row).toEqual(['ab'.repeat(500_000), 'end'])
  })

  it('bytes unchanged', async () => {
    let bytes: Uint8Array | undefined
    await inCenter(1, (tx) =>
      tx.copy(`select 'é'::text`, (row) => {
        bytes = Uint8Array.from(row.bytes(0))
      }),
    )
    expect(bytes).toEqual(new TextEncoder().encode('é'))
  })

  it('only rows that the center may see', async () => {
    const [mine, theirs] = [await server.world.center(), await server.world.center()]
    for (const { id } of [mine, theirs]) {
      await server.world.query(`insert into cell.chain_heads (center_id, domain) values ($1, 'dpu')`, [id])
    }
    const seen: (string | null)[] = []
    await inCenter(mine.id, (tx) =>
      tx.copy('select center_id::text from cell.chain_heads', (row) => seen.push(row.text(0))),
    )
    expect(seen).toEqual([String(mine.id)])
  })
})

describe('fails', () => {
  const works = async () => expect(await copied(`select 'fine'::text`, 1)).toEqual([['fine']])

  it('when the database refuses the query, and the connection stays usable', async () => {
    await expect(copied('select nonsense', 1)).rejects.toMatchObject({ code: 'DATABASE_ERROR' })
    await expect(copied(`select (1 / (3 - i))::text from generate_series(1, 5) i`, 1)).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
    })
    await works()
  })

  it('when the reader throws, after the remaining rows are read', async () => {
    let rows = 0
    const failing = inCenter(1, (tx) =>
      tx.copy('select i::text from generate_series(1, 5000) i', () => {
        if (++rows === 10) throw new Error('the reader stumbled')
      }),
    )
    await expect(failing).rejects.toThrow('the reader stumbled')
    expect(rows).toBe(10)
    await works()
  })

  it('when the connection dies, and the next scan uses another one', async () => {
    const dying = expect(copied('select pg_sleep(4)::text', 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'copy (select pg_sleep%'`
    await expect.poll(() => server.world.query(kill)).toHaveLength(1)
    await dying
    await works()
  })
})
