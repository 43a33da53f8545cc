/** Processor time and write-ahead log of a piece of work, from /proc (Linux) and PostgreSQL. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'

interface Counters {
  readonly own: number
  readonly backends: ReadonlyMap<number, number>
  readonly wal: number
}

export interface Cost {
  /** Processor time of this process, its threads included. */
  readonly serverMicros: number
  /** Processor time of the database's backends; those of other databases of the cluster do not count. */
  readonly postgresMicros: number
  /** Growth of the log of the whole cluster: a neighbor that writes adds to it. */
  readonly walBytes: number
}

/** On-CPU time in microseconds; the file has nanoseconds where /proc/PID/stat has ticks of 10 ms. */
export function onCpuMicros(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return Number.NaN
  }
}

async function counters(client: pg.Client): Promise<Counters> {
  const { rows } = await client.query<{ wal: string; pids: number[] | null }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::text as wal, (
       select array_agg(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()) as pids`,
  )
  const { wal, pids } = rows[0] as (typeof rows)[0]
  const { user, system } = process.cpuUsage()
  const backends = new Map((pids ?? []).map((pid) => [pid, onCpuMicros(pid)]))
  return { own: user + system, backends, wal: Number(wal) }
}

/** A backend that opened in between counts from its start. */
const spent = (before: Counters['backends'], after: Counters['backends']): number =>
  [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0)

export async function costOf(client: pg.Client, work: () => Promise<unknown>): Promise<Cost> {
  const before = await counters(client)
  await work()
  const after = await counters(client)
  return {
    serverMicros: after.own - before.own,
    postgresMicros: spent(before.backends, after.backends),
    walBytes: after.wal - before.wal,
  }
}
