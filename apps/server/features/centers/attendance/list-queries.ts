import type { AttendanceKind, AttendanceSource } from '@countersign/contract/enums.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

export interface AttendanceRow {
  readonly id: string
  readonly kind: AttendanceKind
  readonly source: AttendanceSource
  readonly booking_id: string | null
  readonly client_id: string | null
  readonly reference: string | null
  readonly instructor_id: string | null
  readonly at: Date
  readonly recorded_at: Date
}

export type Position = Pick<AttendanceRow, 'id' | 'at'>

export interface AttendanceFilter {
  readonly from?: Date
  readonly to?: Date
  readonly clientId?: string
  readonly instructorId?: string
  readonly kind?: AttendanceKind
}

const matching = (tx: TenantTx, filter: AttendanceFilter): RawBuilder<unknown> => {
  const { from, to, clientId, instructorId, kind } = filter
  return sql.join(
    [
      sql`center_id = ${tx.caller.centerId}`,
      ...(from ? [sql`at >= ${from}`] : []),
      ...(to ? [sql`at < ${to}`] : []),
      ...(clientId === undefined ? [] : [sql`client_id = ${clientId}`]),
      ...(instructorId === undefined ? [] : [sql`instructor_id = ${instructorId}`]),
      ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ],
    sql` and `,
  )
}

/** Each filter has an index in the order of the list. */
export async function pageOfAttendance(
  tx: TenantTx,
  filter: AttendanceFilter,
  { after, limit, offset }: { after: Position | null; limit: number; offset: number },
): Promise<AttendanceRow[]> {
  const onwards = after ? sql`and (at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<AttendanceRow>`
    select id, kind, source, booking_id, client_id, reference, instructor_id, at, recorded_at
    from cell.attendance where ${matching(tx, filter)} ${onwards}
    order by at desc, id desc limit ${limit} offset ${offset}`.execute(tx.db)
  return rows
}

export async function positionOfAttendance(tx: TenantTx, id: string): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    select id, at from cell.attendance where center_id = ${tx.caller.centerId} and id = ${id}`.execute(tx.db)
  return rows[0]
}

type Counts = readonly { readonly kind: AttendanceKind; readonly entries: number }[]

/** All of the center from counters that a trigger keeps; with a filter the matching ones are counted. */
export async function attendanceCounts(tx: TenantTx, { kind, ...filter }: AttendanceFilter): Promise<Counts> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { rows } = await (isFiltered
    ? sql<Counts[number]>`
        select kind, count(*)::int as entries from cell.attendance where ${matching(tx, filter)} group by kind`
    : sql<Counts[number]>`
        select kind, entries from cell.attendance_counts where center_id = ${tx.caller.centerId}`
  ).execute(tx.db)
  return rows
}
