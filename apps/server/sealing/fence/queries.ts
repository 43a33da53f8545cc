/** What the fence reads of a cell's database, over all centers, and the one value that it writes there. */
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { BatchTx, Cell } from '../../data/cells.ts'
import { statement } from '../../data/prepared.ts'
import type { Whereabouts } from './fence.ts'

const whereabouts = statement<{ readonly said: readonly Whereabouts[] | null }>('select cell.whereabouts() as said')

/** In the transaction of a batch: a pooler may lead each transaction to another server. */
export async function whereaboutsOf(tx: BatchTx): Promise<Whereabouts> {
  const [row] = await whereabouts(tx)
  return row?.said?.[0] ?? nowhere
}

/** The row of the ids was deleted. */
const nowhere = { identity: null, databaseId: '', storeId: null, hasEntries: true }

export interface Survey extends Whereabouts {
  readonly hasEntries: boolean
}

/** With the login cs_jobs, outside the pools of the server. */
export async function readWhereabouts(client: pg.Client): Promise<Whereabouts> {
  const { rows } = await client.query<Whereabouts>(
    `select cell.database_identity() as identity, database_id as "databaseId", store_id as "storeId" from cell.fence`,
  )
  return rows[0] ?? nowhere
}

export const surveyOf = (cell: Cell): Promise<Survey> =>
  cell.asJobs(async (db) => {
    const { rows } = await sql<Survey>`
      select cell.database_identity() as identity, database_id as "databaseId", store_id as "storeId",
        exists (select from cell.chain_heads where next_index > 0) as "hasEntries"
      from cell.fence`.execute(db)
    return rows[0] ?? nowhere
  })

/** Another process may have bound the database; `replace` is for an operator. */
export const bindDatabase = (cell: Cell, storeId: string, replace: boolean): Promise<void> =>
  cell.asJobs(async (db) => {
    await sql`update cell.fence set store_id = ${storeId} where store_id is null or ${replace}`.execute(db)
  })

export interface WantedHead {
  readonly center_id: number
  readonly domain: string
  /** The confirmed size; 0 for none. */
  readonly size: number
}

export interface FoundHead extends WantedHead {
  readonly identity: string | null
  /** Null where the chain is gone. */
  readonly generation: number | null
  readonly next_index: number | null
  /** The root of the confirmed size, and of the head; null where that checkpoint is gone. */
  readonly root: string | null
  readonly head_root: string | null
}

/** Heads and roots to compare with a page of the store. */
export const headsLike = (cell: Cell, wanted: readonly WantedHead[]): Promise<readonly FoundHead[]> =>
  cell.asJobs(async (db) => {
    const { rows } = await sql<FoundHead>`
      select w.center_id, w.domain, w.size, h.generation, h.next_index, encode(c.root, 'hex') as root, encode(e.root, 'hex') as head_root,
        (select cell.database_identity()) as identity
      from json_to_recordset(${JSON.stringify(wanted)}) as w (center_id integer, domain text, size bigint)
        left join cell.chain_heads h on h.center_id = w.center_id and h.domain = w.domain
        left join cell.checkpoints c on c.center_id = w.center_id and c.domain = w.domain and c.size = w.size
        left join cell.checkpoints e on e.center_id = w.center_id and e.domain = w.domain and e.size = h.next_index`.execute(
      db,
    )
    return rows
  })

export interface SignedHead {
  readonly center_id: number
  readonly domain: string
  readonly generation: number
  readonly next_index: number
  readonly root: string | null
  readonly line: string | null
}

/** Heads with entries, in the order of their keys. */
export const headsAfter = (
  cell: Cell,
  after: Pick<SignedHead, 'center_id' | 'domain'>,
  limit: number,
): Promise<readonly SignedHead[]> =>
  cell.asJobs(async (db: Kysely<never>) => {
    const { rows } = await sql<SignedHead>`
      select h.center_id, h.domain, h.generation, h.next_index, encode(c.root, 'hex') as root, o.line
      from cell.chain_heads h
        left join cell.checkpoints c on c.center_id = h.center_id and c.domain = h.domain and c.size = h.next_index
        left join cell.signatures o on o.center_id = h.center_id and o.domain = h.domain and o.size = h.next_index
      where (h.center_id, h.domain) > (${after.center_id}, ${after.domain}) and h.next_index > 0
      order by h.center_id, h.domain limit ${limit}`.execute(db)
    return rows
  })

export interface NewestSigned {
  readonly center_id: number
  readonly domain: string
  readonly generation: number
  readonly next_index: number
  /** Of the newest checkpoint with a stored signature. */
  readonly size: number
  readonly root: string
  readonly line: string
}

/** Heads with a signed checkpoint, in the order of their keys. */
export const signedHeadsAfter = (
  cell: Cell,
  after: Pick<NewestSigned, 'center_id' | 'domain'>,
  limit: number,
): Promise<readonly NewestSigned[]> =>
  cell.asJobs(async (db: Kysely<never>) => {
    const { rows } = await sql<NewestSigned>`
      select h.center_id, h.domain, h.generation, h.next_index, s.size, encode(c.root, 'hex') as root, s.line
      from cell.chain_heads h cross join lateral (
          select size, line from cell.signatures s
          where s.center_id = h.center_id and s.domain = h.domain and s.size <= h.next_index order by s.size desc limit 1) s
        join cell.checkpoints c on c.center_id = h.center_id and c.domain = h.domain and c.size = s.size
          and c.generation = h.generation
      where (h.center_id, h.domain) > (${after.center_id}, ${after.domain}) and h.next_index > 0
      order by h.center_id, h.domain limit ${limit}`.execute(db)
    return rows
  })
