/**
 * What workflows read of a center. Every statement reads a range of an index and a limited number of rows, so that a
 * workflow takes no longer in an old center. A read beyond the limit fails: figures of a part would be wrong.
 */
import { sql } from 'kysely'
import type { TenantTx } from '../data/cells.ts'
import { StepFailure } from '../features/automation/workflows/api.ts'

export const mostRows = 20_000
const maxDrafts = 500
const dayMs = 86_400_000
const quarterMs = 90 * dayMs

export interface BookedSessionRow {
  readonly instructor: string
  readonly client: string
  readonly startsAt: Date
  readonly endsAt: Date
  /** The client did not come. */
  readonly missed: boolean
  /** Somebody said whether the client came. */
  readonly recorded: boolean
}

/** Appointments that begin in the span, in the order of time. */
export async function sessionsBetween(
  tx: TenantTx,
  from: Date,
  to: Date,
  client: string | null = null,
): Promise<BookedSessionRow[]> {
  const { rows } = await sql<BookedSessionRow>`
    select b.instructor_id as instructor, b.booked_for as client, b.starts_at as "startsAt", b.ends_at as "endsAt",
      a.kind is not distinct from 'no_show' as missed, a.kind is not null as recorded
    from cell.bookings b left join cell.attendance a on a.center_id = b.center_id and a.booking_id = b.id
    where b.center_id = ${tx.caller.centerId} and b.starts_at >= ${from} and b.starts_at < ${to} and b.status <> 'canceled'
      and (${client}::uuid is null or b.booked_for = ${client}::uuid)
    order by b.starts_at, b.instructor_id limit ${mostRows + 1}`.execute(tx.db)
  return whole(rows, 'appointments')
}

export interface AttendanceFound {
  /** The id of the client, or the reference of a companion application; null where it named nobody. */
  readonly client: string | null
  readonly isReference: boolean
  readonly booked: boolean
  readonly missed: boolean
  readonly at: Date
  readonly instructor: string | null
}

/** Who came and who did not in the span, in the order of time. */
export async function attendanceBetween(tx: TenantTx, from: Date, to: Date): Promise<AttendanceFound[]> {
  const { rows } = await sql<AttendanceFound>`
    select coalesce(client_id::text, reference) as client, client_id is null as "isReference",
      booking_id is not null as booked, kind = 'no_show' as missed, at, instructor_id as instructor
    from cell.attendance
    where center_id = ${tx.caller.centerId} and at >= ${from} and at < ${to}
    order by at, id limit ${mostRows + 1}`.execute(tx.db)
  return whole(rows, 'records of attendance')
}

export interface BookingFound extends Omit<BookedSessionRow, 'missed' | 'recorded'> {
  readonly id: string
}

/** The booking with this id; without an id the one that was made last, because ids rise with time. */
export async function findBooking(tx: TenantTx, id: string | null): Promise<BookingFound | undefined> {
  const { rows } = await sql<BookingFound>`
    select id, instructor_id as instructor, booked_for as client, starts_at as "startsAt", ends_at as "endsAt"
    from cell.bookings
    where center_id = ${tx.caller.centerId} and (${id}::uuid is null or id = ${id}::uuid)
    order by id desc limit 1`.execute(tx.db)
  return rows[0]
}

export interface DecisionFound {
  readonly id: string
  readonly status: string
  readonly action: string
  readonly input: unknown
  readonly riskScore: number | null
  readonly occurredAt: Date
}

/**
 * Decisions with a tag that were made in the span, newest records first. Records from more than a day before the span
 * are not read: a decision is recorded after it is made, unless the clock of the caller is wrong. The last record before
 * that day bounds the read: ids of one millisecond are not in the order of recording, so the first record after it may not.
 */
export async function decisionsTagged(tx: TenantTx, tag: string, from: Date, to: Date): Promise<DecisionFound[]> {
  const center = tx.caller.centerId
  const { rows } = await sql<DecisionFound>`
    select e.id, e.status, e.action ->> 'type' as action, e.action -> 'input' as input, e.risk_score as "riskScore",
      e.occurred_at as "occurredAt"
    from cell.decision_event_tags t join cell.decision_events e on e.center_id = t.center_id and e.seq = t.seq
    where t.center_id = ${center} and t.tag = ${tag}
      and t.seq > coalesce((select seq from cell.decision_events
        where center_id = ${center} and id < ${firstUuidAt(from.getTime() - dayMs)} order by id desc limit 1), 0)
      and e.occurred_at >= ${from} and e.occurred_at < ${to}
    order by t.seq desc limit ${mostRows + 1}`.execute(tx.db)
  return whole(rows, `decisions tagged "${tag}"`)
}

export interface DraftFound {
  readonly id: string
  readonly tags: readonly string[]
}

/** Records that were made in the 90 days before this time and are still DRAFT, oldest first, at most 500. */
export async function unreviewedBefore(tx: TenantTx, before: Date): Promise<DraftFound[]> {
  const { rows } = await sql<DraftFound>`
    select id, tags from cell.dpus
    where center_id = ${tx.caller.centerId} and id >= ${firstUuidAt(before.getTime() - quarterMs)}
      and id < ${firstUuidAt(before.getTime())} and domain = 'dpu' and evidence_level = 'DRAFT'
    order by id limit ${maxDrafts}`.execute(tx.db)
  return rows
}

/** Ids are UUIDs of version 7, so a span of time is a range of the primary key. */
function firstUuidAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

function whole<T>(rows: T[], what: string): T[] {
  if (rows.length <= mostRows) return rows
  throw new StepFailure(
    `There are more than ${mostRows} ${what} in this period. Start the workflow for a shorter one.`,
    {
      retry: false,
    },
  )
}
