import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'

/** Of each count: a page says 1,000+ for as many. */
const mostCounted = 1000
const mostExecutions = 100

interface Span {
  readonly timezone: string
  readonly from: Date
  readonly to: Date
  /** Null: of the whole center. */
  readonly instructorId: string | null
}

interface DayRow {
  readonly day: string
  readonly attended: number
  readonly missed: number
  readonly open: number
}

export async function appointmentsByDay(tx: TenantTx, { timezone, from, to, instructorId }: Span): Promise<DayRow[]> {
  const own = instructorId === null ? sql`` : sql`and instructor_id = ${instructorId}`
  const { rows } = await sql<DayRow>`
    select to_char(starts_at at time zone ${timezone}, 'YYYY-MM-DD') as day,
      count(*) filter (where status = 'attended')::int as attended,
      count(*) filter (where status = 'no_show')::int as missed,
      count(*) filter (where status = 'booked')::int as open
    from cell.bookings
    where center_id = ${tx.caller.centerId} and starts_at >= ${from} and starts_at < ${to} and status <> 'canceled' ${own}
    group by 1`.execute(tx.db)
  return rows
}

/** Of the newest of each, by the time of the seal: a redaction changes an old decision too. */
export async function outcomesSince(tx: TenantTx, since: Date) {
  const ended = (status: string) => sql`(
    select count(*)::int from (
      select center_id, domain, chain_index, closed_at from cell.dpus
      where center_id = ${tx.caller.centerId} and event_status = ${status} and event_seq is not null
      order by event_seq desc limit ${mostCounted}) u
    join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
    where u.closed_at >= ${since} and e.sealed_at::timestamptz >= ${since})`
  const { rows } = await sql<{ sealed: number; rejected: number }>`
    select ${ended('sealed')} as sealed, ${ended('rejected')} as rejected`.execute(tx.db)
  return rows[0] as { readonly sealed: number; readonly rejected: number }
}

interface DraftRow {
  readonly id: string
  readonly workflow_key: string
  readonly completed_at: Date
  readonly sent_to: string | null
  readonly sent_to_name: string | null
}

export async function openDrafts(tx: TenantTx): Promise<DraftRow[]> {
  const { rows } = await sql<DraftRow>`
    select e.id, e.workflow_key, e.completed_at, u.metadata #>> '{review,sent,to,id}' as sent_to,
      u.metadata #>> '{review,sent,to,name}' as sent_to_name from (
      select id, workflow_key, unit_id, completed_at from cell.executions
      where center_id = ${tx.caller.centerId} and status = 'COMPLETED' order by id desc limit ${mostExecutions}) e
    join cell.dpus u on u.center_id = ${tx.caller.centerId} and u.id = e.unit_id
    where u.evidence_level = 'DRAFT' and u.metadata #> '{review,refused}' is null order by e.id desc`.execute(tx.db)
  return rows
}

export async function hasPolicy(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from cell.policy_versions where center_id = ${tx.caller.centerId}) as found`.execute(tx.db)
  return rows[0]?.found ?? false
}

export async function joinedSince(tx: DirectoryTx, since: Date): Promise<number> {
  const { rows } = await sql<{ joined: number }>`
    select count(*)::int as joined from (
      select from directory.audit_entries
      where center_id = ${tx.caller.centerId} and type = 'membership.transitioned' and occurred_at >= ${since}
        and details ->> 'to' = 'ACTIVE' and details ->> 'from' in ('INVITED', 'PENDING')
      limit ${mostCounted}) n`.execute(tx.db)
  return rows[0]?.joined ?? 0
}

interface Begun {
  readonly name: boolean
  readonly hours: boolean
  readonly staff: boolean
  readonly clients: boolean
  readonly agent: boolean
}

/**
 * An invited person counts: the step is to invite. A center has its name from the person who opened it, from its partner, or by a
 * later change; the operator's is only a first one. Earlier entries about hours name `booking` as a whole.
 */
export async function begun(tx: DirectoryTx): Promise<Begun> {
  const members = (roles: readonly string[]) => sql`(
    select coalesce(sum(members), 0) from directory.member_counts
    where center_id = ${tx.caller.centerId} and role = any (${roles}::text[]) and not also)`
  const { rows } = await sql<Begun>`
    select ${members(['ADMIN', 'INSTRUCTOR'])} > 1 as staff, ${members(['CHILD'])} > 0 as clients,
      exists (select from directory.centers
        where id = ${tx.caller.centerId} and (owner_id is not null or partner_id is not null or sandbox))
        or exists (select from directory.audit_entries
          where center_id = ${tx.caller.centerId} and type = 'center.updated' and details ->> 'action' = 'rename') as name,
      exists (select from directory.audit_entries
        where center_id = ${tx.caller.centerId} and type = 'settings.updated' and details ->> 'action' = 'center'
          and string_to_array(details ->> 'fields', ' ') && array['booking', 'booking.openingHours']) as hours,
      exists (select from directory.api_keys where center_id = ${tx.caller.centerId} and last_used_at is not null) as agent`.execute(
    tx.db,
  )
  return rows[0] as Begun
}
