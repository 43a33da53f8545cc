/** What becomes a cause by the passing of time, or is found where it was sealed. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'

export interface BookingToRemind {
  readonly id: string
  readonly booked_for: string
  readonly instructor_id: string
  readonly starts_at: Date
}

/** In all centers of the cell: it is tomorrow somewhere. */
export async function centersWithBookings(db: Kysely<never>, from: Date, to: Date): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select distinct center_id from cell.bookings
    where status = 'booked' and starts_at >= ${from} and starts_at < ${to} order by 1`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

export async function bookingsToRemind(tx: TenantTx, from: Date, to: Date): Promise<readonly BookingToRemind[]> {
  const { rows } = await sql<BookingToRemind>`
    select id, booked_for, instructor_id, starts_at from cell.bookings
    where center_id = ${tx.caller.centerId} and status = 'booked' and starts_at >= ${from} and starts_at < ${to}
      and not exists (select from cell.message_causes c where c.center_id = ${tx.caller.centerId}
        and c.id = 'booking ' || bookings.id || ' tomorrow ' || extract(epoch from starts_at)::bigint)
    order by starts_at`.execute(tx.db)
  return rows
}

/** Drafts of the last day: longer than a job may be away, and shorter than a cause is kept. */
export async function drafts(db: Kysely<never>, since: Date) {
  const { rows } = await sql<{ center_id: number; unit_id: string }>`
    select center_id, unit_id from cell.executions e
    where status = 'COMPLETED' and completed_at > ${since} and not exists (
      select from cell.message_causes c where c.center_id = e.center_id and c.id = 'draft ' || e.unit_id)
    order by completed_at limit 500`.execute(db)
  return rows
}

export async function trialsEnding(db: Kysely<never>, before: Date) {
  const { rows } = await sql<{ center_id: number; ends_at: Date }>`
    select center_id, current_period_end as ends_at from directory.subscriptions
    where status = 'TRIAL' and current_period_end > ${now()} and current_period_end < ${before}`.execute(db)
  return rows
}

export async function keysEnding(db: Kysely<never>, before: Date) {
  const { rows } = await sql<{ center_id: number; id: string; ends_at: Date }>`
    select center_id, id, expires_at as ends_at from directory.api_keys
    where revoked_at is null and expires_at > ${now()} and expires_at < ${before}`.execute(db)
  return rows
}
