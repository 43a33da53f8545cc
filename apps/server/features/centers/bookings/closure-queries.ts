import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'

export interface ClosureRow {
  readonly day: string
  readonly name: string
  readonly holiday: boolean
}

/** Both days included. A day is a row, so a period bounds the list. */
export async function closuresBetween(tx: TenantTx, from: string, to: string): Promise<ClosureRow[]> {
  const { rows } = await sql<ClosureRow>`
    select day::text as day, name, holiday from cell.closures
    where center_id = ${tx.caller.centerId} and day between ${from}::date and ${to}::date
    order by day`.execute(tx.db)
  return rows
}

/** Returns the days that were open before. */
export async function closeDays(
  tx: TenantTx,
  days: readonly Pick<ClosureRow, 'day' | 'name'>[],
  holiday: boolean,
): Promise<ClosureRow[]> {
  const { rows } = await sql<ClosureRow>`
    insert into cell.closures (center_id, day, name, holiday, created_by, created_at)
    select ${tx.caller.centerId}, d.day, d.name, ${holiday}, ${tx.caller.actorId}, ${now()}
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d (day date, name text)
    on conflict do nothing
    returning day::text as day, name, holiday`.execute(tx.db)
  return rows.toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

export async function openDay(tx: TenantTx, day: string): Promise<ClosureRow | undefined> {
  const { rows } = await sql<ClosureRow>`
    delete from cell.closures where center_id = ${tx.caller.centerId} and day = ${day}::date
    returning day::text as day, name, holiday`.execute(tx.db)
  return rows[0]
}

export async function bookedAmong(tx: TenantTx, spans: readonly { start: number; end: number }[]): Promise<number> {
  const { rows } = await sql<{ booked: number }>`
    select count(*)::int as booked from cell.bookings b
    join jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as s (start float8, "end" float8)
      on b.starts_at >= to_timestamp(s.start / 1000) and b.starts_at < to_timestamp(s."end" / 1000)
    where b.center_id = ${tx.caller.centerId} and b.status = 'booked'`.execute(tx.db)
  return rows[0]?.booked ?? 0
}
