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

export interface RelationWal {
  /** A table, an index, the toast table of a table (`TABLE toast`), or `commit`. */
  readonly relation: string
  /** Without page images: as with full_page_writes = off. */
  readonly bytes: number
  readonly records: number
}

/** The same by table and index. Only commits of transactions that wrote to this database count. */
export async function walByRelation(client: pg.Client, from: string, to: string): Promise<readonly RelationWal[]> {
  await client.query('create extension if not exists pg_walinspect')
  const { rows } = await client.query<RelationWal>(
    `with records as materialized (
       select xid, resource_manager, record_length - fpi_length as length,
         (regexp_match(block_ref, 'rel \\d+/(\\d+)/(\\d+)'))[1]::oid as database,
         (regexp_match(block_ref, 'rel \\d+/(\\d+)/(\\d+)'))[2]::oid as node
       from pg_get_wal_records_info($1, $2)
     ), here as (
       select * from records where database = (select oid from pg_database where datname = current_database())
     )
     select coalesce(o.relname || ' toast', c.relname, 'other') as relation, sum(length)::float as bytes,
       count(*)::integer as records
     from here left join pg_class c on c.relfilenode = here.node
       left join pg_index i on i.indexrelid = c.oid
       left join pg_class o on o.reltoastrelid in (c.oid, i.indrelid) and o.reltoastrelid <> 0
     group by 1
     union all
     select 'commit', coalesce(sum(length), 0)::float, count(*)::integer from records
     where resource_manager = 'Transaction' and xid in (select xid from here where xid <> '0'::xid)`,
    [from, to],
  )
  return rows
}

/** No checkpoint removes the log that the work writes. The slot ends with the connection at the latest. */
export async function keepingWal<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const slot = `bench_${process.pid}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  try {
    return await work()
  } finally {
    await client.query('select pg_drop_replication_slot($1)', [slot])
  }
}
