/**
 * The three steps that every engine runs: one reads, one computes, one writes. Each step also leaves a row, as a call to
 * another system would: two rows of one step mean that the engine ran it twice.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export const ledgerSql = `
  create table if not exists public.engine_steps (execution text not null, step integer not null, at timestamptz not null default clock_timestamp());
  create table if not exists public.engine_source (n integer primary key);
  insert into public.engine_source select generate_series(1, 100) on conflict do nothing`

export interface Steps {
  collect(id: string): Promise<{ bookings: number }>
  weigh(id: string, collected: { bookings: number }): Promise<{ digest: string; bookings: number }>
  write(id: string, weighed: { digest: string; bookings: number }): Promise<string>
}

export function openSteps(url: string): Steps {
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  const stepMs = Number(process.env.STEP_MS ?? 0)
  const leave = async (id: string, step: number) => {
    if (stepMs > 0) await sleep(stepMs)
    await pool.query({
      name: 'leave',
      text: 'insert into public.engine_steps (execution, step) values ($1, $2)',
      values: [id, step],
    })
  }
  return {
    async collect(id) {
      const { rows } = await pool.query({ name: 'source', text: 'select count(*)::int as n from public.engine_source' })
      await leave(id, 1)
      return { bookings: rows[0].n }
    },
    async weigh(id, { bookings }) {
      const digest = createHash('sha256').update(`bookings ${bookings}`).digest('hex')
      await leave(id, 2)
      return { digest, bookings }
    },
    async write(id, { digest, bookings }) {
      await leave(id, 3)
      return `There are ${bookings} bookings this week. ${digest}`
    },
  }
}

/** What a worker process does on a message of the bench: it starts these executions, and answers once all are accepted. */
export function serveStarts(start: (ids: readonly string[]) => Promise<unknown>): void {
  process.on('message', (ids: readonly string[]) => void start(ids).then(() => process.send?.('started')))
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}

/** Runs at most so many at a time. */
export async function atMost<T>(many: number, items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: many }, async () => {
      for (const item of left) await work(item)
    }),
  )
}
