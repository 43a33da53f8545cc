import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'

export interface WaitRow {
  readonly id: string
  readonly booked_for: string
  readonly asked_by: string
  readonly instructor_id: string
  readonly day: string
  readonly from_at: Date
  readonly until_at: Date
  readonly created_at: Date
  readonly offer_starts_at: Date | null
  readonly offer_ends_at: Date | null
  readonly offer_until: Date | null
}

const columns = sql`id, booked_for, asked_by, instructor_id, day::text as day, from_at, until_at, created_at,
  offer_starts_at, offer_ends_at, offer_until`

/** Undefined where the client waits for this instructor on this day already. */
export async function insertWait(
  tx: TenantTx,
  row: Omit<WaitRow, 'created_at' | 'offer_starts_at' | 'offer_ends_at' | 'offer_until'>,
): Promise<WaitRow | undefined> {
  const { rows } = await sql<WaitRow>`
    insert into cell.booking_waits (center_id, id, booked_for, asked_by, instructor_id, day, from_at, until_at, created_at)
    values (${tx.caller.centerId}, ${row.id}, ${row.booked_for}, ${row.asked_by}, ${row.instructor_id}, ${row.day},
      ${row.from_at}, ${row.until_at}, ${now()})
    on conflict on constraint booking_waits_once do nothing returning ${columns}`.execute(tx.db)
  return rows[0]
}

export async function countOf(tx: TenantTx, bookedFor: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from cell.booking_waits
    where center_id = ${tx.caller.centerId} and booked_for = ${bookedFor} and until_at > ${now()}`.execute(tx.db)
  return rows[0]?.count ?? 0
}

export async function lockWait(tx: TenantTx, id: string): Promise<WaitRow | undefined> {
  const { rows } = await sql<WaitRow>`
    select ${columns} from cell.booking_waits where center_id = ${tx.caller.centerId} and id = ${id} for update`.execute(
    tx.db,
  )
  return rows[0]
}

export const deleteWait = (tx: TenantTx, id: string) =>
  tx.db.deleteFrom('booking_waits').where('center_id', '=', tx.caller.centerId).where('id', '=', id).execute()

interface Place {
  readonly instructor_id: string
  readonly starts_at: Date
  readonly ends_at: Date
}

/** Nobody has it, it is kept for nobody, and the center is open that day. */
export async function isFree(tx: TenantTx, { instructor_id, starts_at, ends_at }: Place): Promise<boolean> {
  const { rows } = await sql`
    select 1 where not exists (
      select from cell.bookings where center_id = ${tx.caller.centerId} and instructor_id = ${instructor_id}
        and status <> 'canceled' and starts_at < ${ends_at} and ends_at > ${starts_at})
    and not exists (
      select from cell.booking_waits where center_id = ${tx.caller.centerId} and instructor_id = ${instructor_id}
        and offer_starts_at < ${ends_at} and offer_ends_at > ${starts_at})`.execute(tx.db)
  return rows.length > 0
}

const maxCandidates = 50

/** Who waits for this place, first come first, without those who have another appointment then. */
export async function inTurn(tx: TenantTx, { instructor_id, starts_at, ends_at }: Place): Promise<WaitRow[]> {
  const { rows } = await sql<WaitRow>`
    select ${columns} from cell.booking_waits w
    where center_id = ${tx.caller.centerId} and instructor_id = ${instructor_id} and offer_until is null
      and from_at <= ${starts_at} and until_at >= ${ends_at}
      and not exists (select from cell.closures c where c.center_id = w.center_id and c.day = w.day)
      and not exists (select from cell.bookings b where b.center_id = w.center_id and b.booked_for = w.booked_for
        and b.status <> 'canceled' and b.starts_at < ${ends_at} and b.ends_at > ${starts_at})
    order by created_at, id limit ${maxCandidates} for update`.execute(tx.db)
  return rows
}

export const keepFor = (tx: TenantTx, id: string, { starts_at, ends_at }: Place, until: Date) =>
  tx.db
    .updateTable('booking_waits')
    .set({ offer_starts_at: starts_at, offer_ends_at: ends_at, offer_until: until })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .execute()

interface KeptRow extends Place {
  readonly booked_for: string
}

/** Places that are kept now, within a span. */
export async function keptBetween(tx: TenantTx, from: Date, to: Date): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    select instructor_id, booked_for, offer_starts_at as starts_at, offer_ends_at as ends_at from cell.booking_waits
    where center_id = ${tx.caller.centerId} and offer_until > ${now()}
      and offer_starts_at < ${to} and offer_ends_at > ${from}`.execute(tx.db)
  return rows
}

interface WaitFilter {
  readonly clientId?: string
  readonly from?: string
  readonly to?: string
}

export async function pageOfWaits(
  tx: TenantTx,
  { clientId, from, to }: WaitFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: WaitRow[]; readonly total: number }> {
  const matching = sql`center_id = ${tx.caller.centerId} and until_at > ${now()}
    and (${clientId ?? null}::uuid is null or booked_for = ${clientId ?? null}::uuid)
    and (${from ?? null}::date is null or day >= ${from ?? null}::date)
    and (${to ?? null}::date is null or day <= ${to ?? null}::date)`
  const { rows } = await sql<WaitRow>`
    select ${columns} from cell.booking_waits where ${matching}
    order by day, created_at, id limit ${limit} offset ${offset}`.execute(tx.db)
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from cell.booking_waits where ${matching}`.execute(tx.db)
  return { rows, total: counts[0]?.total ?? 0 }
}

/** Centers of the cell with an offer that is over, or a day that is. */
export async function centersWithDueWaits(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select distinct center_id from cell.booking_waits where coalesce(offer_until, until_at) <= ${now()} order by 1`.execute(
    db,
  )
  return rows.map(({ center_id }) => center_id)
}

/** Those that are over leave the list. Returns the places that were kept for them, in the order of time. */
export async function dropDue(tx: TenantTx): Promise<Place[]> {
  const { rows } = await sql<{ instructor_id: string; starts_at: Date | null; ends_at: Date | null }>`
    delete from cell.booking_waits
    where center_id = ${tx.caller.centerId} and coalesce(offer_until, until_at) <= ${now()}
    returning instructor_id, offer_starts_at as starts_at, offer_ends_at as ends_at`.execute(tx.db)
  return (rows.filter(({ starts_at }) => starts_at !== null) as Place[]).toSorted(
    (a, b) => a.starts_at.getTime() - b.starts_at.getTime(),
  )
}
