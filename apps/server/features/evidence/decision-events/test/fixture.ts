/** A server whose centers are in one cell or spread over several: the same cases run on either. */
import pg from 'pg'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'

export interface EventFixture {
  readonly server: TestServer
  /** By default each new center is in the next cell. */
  newCenter(options?: { cell?: string | undefined; status?: string }): Promise<Center>
  cellOf(center: Center): string
  /** The database of a cell, as its superuser. */
  databaseOf(cell: string): string
  inCellOf<R extends pg.QueryResultRow>(center: Center, text: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

export async function openFixture(cells?: readonly string[]): Promise<EventFixture> {
  const server = await startServer(cells ? { cells } : {})
  const urls = server.services.config.cells
  const names = [...urls.keys()]
  const pools = new Map([...urls].map(([name, connectionString]) => [name, new pg.Pool({ connectionString, max: 1 })]))
  // The databases are dropped at the end, with any open connections.
  for (const pool of pools.values()) pool.on('error', () => {})
  const homes = new Map<number, string>()
  let turn = 0

  const cellOf = (center: Center) => homes.get(center.id) as string
  return {
    server,
    cellOf,
    databaseOf: (cell) => urls.get(cell) as string,
    async newCenter({ cell = names[turn++ % names.length] as string, status = 'ACTIVE' } = {}) {
      const center = await server.world.center({ cell, status })
      homes.set(center.id, cell)
      return center
    },
    async inCellOf<R extends pg.QueryResultRow>(center: Center, text: string, values: unknown[] = []) {
      const pool = pools.get(cellOf(center)) as pg.Pool
      return (await pool.query<R>(text, values)).rows
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
      await server.close()
    },
  }
}
