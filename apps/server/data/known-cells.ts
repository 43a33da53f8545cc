/**
 * Cells that were added while the process runs. The directory names their databases, without a password, because the
 * roles and passwords of all databases are the same. A process opens such a cell when its schema fits; a cell in its own
 * settings it never takes from the directory.
 */
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import type { Config } from '../config/config.ts'
import type { Cells } from './cells.ts'
import type { Directory, DirectoryTx, IdentityTx, OperatorTx } from './directory.ts'
import { requireSchema } from './schema-check.ts'

export interface CellRow {
  readonly name: string
  readonly state: 'open' | 'closed'
  readonly weight: number
  readonly url: string | null
}

export async function readCellRows(tx: IdentityTx | DirectoryTx | OperatorTx): Promise<readonly CellRow[]> {
  const { rows } = await sql<CellRow>`select name, state, weight, url from directory.cells order by name`.execute(tx.db)
  return rows
}

/** Without a URL, the known one is kept. */
export async function putCellRow(tx: OperatorTx, { name, state, weight, url }: CellRow): Promise<void> {
  await sql`
    insert into directory.cells as c (name, state, weight, url) values (${name}, ${state}, ${weight}, ${url})
    on conflict (name) do update set state = excluded.state, weight = excluded.weight,
      url = coalesce(excluded.url, c.url)`.execute(tx.db)
}

const lookEveryMs = 30_000
const caller = { requestId: 'cells', actorId: 'cells', centerId: 0 }

interface KnownCellsNeeds {
  readonly config: Config
  readonly directory: Directory
  readonly cells: Cells
  /** Called with a cell that was added, so that jobs can be sent to it. */
  readonly added: (name: string, url: string) => Promise<void>
  readonly log: Logger
}

export function knownCells({ config, directory, cells, added, log }: KnownCellsNeeds): Loop {
  async function open(name: string, url: string): Promise<void> {
    await requireSchema(config, { name: `cell ${name}`, cell: name, url, sets: ['common', 'cell'] }, async () => {})
    cells.add(name, url)
    await added(name, url)
    log.info({ cell: name }, 'a cell of the directory is opened')
  }

  async function turn(): Promise<void> {
    const known = new Set(cells.all.map(({ name }) => name))
    const failed: unknown[] = []
    for (const { name, url } of await directory.identity(caller, readCellRows, 'read')) {
      if (url !== null && !known.has(name)) await open(name, url).catch((error: unknown) => failed.push(error))
    }
    // After all of them: an unavailable cell does not keep the others from being opened.
    if (failed.length > 0) throw failed[0]
  }
  const failure = 'the cells of the directory are not all opened; looking again twice a minute'
  const looking = loop({ everyMs: lookEveryMs, turn, log, failure })
  cells.whenUnknown(looking.wake)
  return looking
}
