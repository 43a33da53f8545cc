/** The write-ahead log of one database by table, read with pg_walinspect; the WAL of other databases does not count. */
import type pg from 'pg'

export const walPosition = async (client: pg.Client): Promise<string> =>
  ((await client.query<{ at: string }>('select pg_current_wal_flush_lsn() as at')).rows[0] as { at: string }).at

export interface WalShare {
  /** The table, its indexes included, or `commit` for the records of transactions of every database. */
  readonly part: string
  readonly bytes: number
  /** Of these, whole pages written at their first change after a checkpoint. */
  readonly pageImages: number
  readonly records: number
}

/** NaN where the log was not read. */
export const walTotal = (shares: readonly WalShare[]): number =>
  shares.length === 0 ? Number.NaN : shares.reduce((sum, { bytes }) => sum + bytes, 0)

/** Empty when a checkpoint has already removed the log: the cluster may be shared. */
export async function walByTable(client: pg.Client, from: string, to: string): Promise<readonly WalShare[]> {
  await client.query('create extension if not exists pg_walinspect')
  const read = client.query<WalShare>(
    `with records as (
       select resource_manager, record_length, fpi_length,
         (regexp_match(block_ref, 'rel \\d+/(\\d+)/(\\d+)'))[1]::oid as database,
         (regexp_match(block_ref, 'rel \\d+/(\\d+)/(\\d+)'))[2]::oid as node
       from pg_get_wal_records_info($1, $2)
     ), tables as (
       select coalesce(t.relname, c.relname) as part, c.relfilenode
       from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
       where c.relfilenode <> 0
     )
     select coalesce(t.part, 'commit') as part, sum(record_length)::float as bytes, sum(fpi_length)::float as "pageImages",
       count(*)::integer as records
     from records r left join tables t on t.relfilenode = r.node
     where r.database = (select oid from pg_database where datname = current_database())
       or (r.database is null and resource_manager = 'Transaction')
     group by 1 order by 2 desc`,
    [from, to],
  )
  return read.then(
    ({ rows }) => rows,
    (error: pg.DatabaseError) => {
      if (error.code !== '58P01') throw error
      return []
    },
  )
}
