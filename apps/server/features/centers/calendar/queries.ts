import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

interface FeedRow {
  readonly actor_id: string
  readonly names: boolean
  readonly created_at: Date
}

export const feedOf = (tx: IdentityTx, actorId: string): Promise<FeedRow | undefined> =>
  tx.db
    .selectFrom('calendar_feeds')
    .select(['actor_id', 'names', 'created_at'])
    .where('actor_id', '=', actorId)
    .executeTakeFirst()

/** Replaces the earlier address: of two resets at once the later one stands. */
export const storeFeed = (tx: IdentityTx, row: FeedRow & { readonly token_hash: Buffer }) =>
  tx.db
    .insertInto('calendar_feeds')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('actor_id').doUpdateSet({
        token_hash: row.token_hash,
        names: row.names,
        created_at: row.created_at,
      }),
    )
    .execute()

export async function setNames(tx: IdentityTx, actorId: string, names: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('calendar_feeds')
    .set({ names })
    .where('actor_id', '=', actorId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function dropFeed(tx: IdentityTx, actorId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('calendar_feeds').where('actor_id', '=', actorId).executeTakeFirst()
  return numDeletedRows > 0n
}

interface OwnerRow extends FeedRow {
  readonly language: 'ko' | 'en' | null
}

/** By one look-up of an index, which is all that a guess costs. */
export async function ownerOf(tx: IdentityTx, tokenHash: Buffer): Promise<OwnerRow | undefined> {
  const { rows } = await sql<OwnerRow>`
    select f.actor_id, f.names, f.created_at, a.language
    from directory.calendar_feeds f join directory.actors a on a.id = f.actor_id
    where f.token_hash = ${tokenHash} and a.erased_at is null`.execute(tx.db)
  return rows[0]
}

interface Named {
  readonly center_id: number
  readonly actor_id: string
  readonly name: string
}

/** As each center calls them. */
export async function namesIn(tx: IdentityTx, centers: readonly number[], people: readonly string[]) {
  const { rows } = await sql<Named>`
    select center_id, actor_id, name from directory.memberships
    where center_id = any (${centers}::integer[]) and actor_id = any (${people}::uuid[])`.execute(tx.db)
  return new Map(rows.map((row) => [`${row.center_id} ${row.actor_id}`, row.name]))
}

export interface AppointmentRow {
  readonly id: string
  readonly instructor_id: string
  readonly booked_for: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly created_at: Date
  readonly changed_at: Date | null
  readonly status: string
}

export const maxEvents = 1000
const pastDays = 31
const futureDays = 366

/** In order of time: what is cut off of a full calendar is far away. */
export async function appointmentsOf(
  tx: TenantTx,
  { instructorId, clients }: { readonly instructorId: string | null; readonly clients: readonly string[] },
): Promise<AppointmentRow[]> {
  const { rows } = await sql<AppointmentRow>`
    select id, instructor_id, booked_for, starts_at, ends_at, created_at, changed_at, status from cell.bookings
    where center_id = ${tx.caller.centerId}
      and (instructor_id = ${instructorId}::uuid or booked_for = any (${clients}::uuid[]))
      and starts_at >= ${now()}::timestamptz - make_interval(days => ${pastDays})
      and starts_at < ${now()}::timestamptz + make_interval(days => ${futureDays})
    order by starts_at, id limit ${maxEvents}`.execute(tx.db)
  return rows
}
