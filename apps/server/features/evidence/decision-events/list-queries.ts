/** Lists of decisions, newest first, with exact totals. */
import type { decisionFilters } from '@countersign/contract/decision-events.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { BoundActor } from '../../../access/principal.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { firstUuidAt, recordUuid } from '../../../lib/ids.ts'

export interface ListFilter extends Omit<Static<TObject<typeof decisionFilters>>, 'cursor'> {
  /** Of a key that sees the decisions of one actor only. */
  readonly own?: BoundActor | undefined
  /** Closed decisions of which policies inform this member. */
  readonly informed?: InformedMember | undefined
}

export interface InformedMember {
  readonly actorId: string
  readonly roles: readonly string[]
  readonly groupIds: readonly string[]
}

/** Whether `informing` of a row `i` of the closed decisions names the member. */
export const informs = ({ actorId, roles, groupIds }: InformedMember) => sql`(
  jsonb_exists_any(i.informing -> 'roles', ${roles}::text[])
  or i.informing @> jsonb_build_object('actorIds', jsonb_build_array(${actorId}::text))
  or jsonb_exists_any(i.informing -> 'groupIds', ${groupIds}::text[]))`

export interface SummaryRow {
  readonly id: string
  readonly decision_id: string
  readonly type: string
  readonly status: string
  readonly actor: object
  readonly action_type: string
  readonly tags: string[]
  readonly created_at: Date
  readonly updated_at: Date
}

const and = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql` and ${condition}`

const isOf = ({ id, type }: BoundActor) => sql`(e.actor ->> 'id' = ${id} and e.actor ->> 'type' = ${type})`

const uuidAt = (time: string): string => firstUuidAt(Math.ceil(Date.parse(time.toUpperCase())))

/** A name that the caller chose may look like an id, so both are found; each by its own index. */
function named(decisionId: string): RawBuilder<unknown> {
  const uuid = recordUuid(decisionId)
  return uuid === null
    ? sql`e.decision_id = ${decisionId}`
    : sql`e.id = any (array(select o.id from cell.decision_events o
        where o.center_id = e.center_id and o.decision_id = ${decisionId}) || ${uuid}::uuid)`
}

function conditions({
  type,
  status,
  tag,
  waiting,
  actorId,
  decisionId,
  from,
  to,
  own,
  informed,
}: ListFilter): RawBuilder<unknown> {
  const held = sql`exists (select from cell.waiting_decisions h where h.center_id = e.center_id and h.event_id = e.id)`
  return sql.join(
    [
      type !== undefined && and(sql`e.type = ${type}`),
      status !== undefined && and(sql`e.status = ${status}`),
      tag !== undefined && (waiting === 'true' || informed !== undefined) && and(sql`${tag} = any (e.tags)`),
      waiting === 'false' && and(sql`not ${held}`),
      actorId !== undefined && and(sql`e.actor ->> 'id' = ${actorId}`),
      own !== undefined && and(isOf(own)),
      // What waits is not closed.
      informed !== undefined && waiting === 'true' && and(sql`false`),
      decisionId !== undefined && and(named(decisionId)),
      from !== undefined && and(sql`e.id >= ${uuidAt(from)}`),
      to !== undefined && and(sql`e.id < ${uuidAt(to)}`),
    ].filter((condition) => condition !== false),
    sql``,
  )
}

/** `order` is the column of an index in the order of the list. */
function sourceOf(center: number, { tag, waiting, informed }: ListFilter) {
  if (waiting === 'true') {
    return {
      from: sql`cell.waiting_decisions w join cell.decision_events e on e.center_id = w.center_id and e.id = w.event_id
        where w.center_id = ${center} and e.center_id = ${center}`,
      order: sql`w.seq`,
    }
  }
  if (informed !== undefined) {
    return {
      from: sql`cell.decided_decisions i join cell.decision_events e on e.center_id = i.center_id and e.id = i.event_id
        where i.center_id = ${center} and e.center_id = ${center} and i.informing is not null and ${informs(informed)}`,
      order: sql`i.seq`,
    }
  }
  if (tag !== undefined) {
    return {
      from: sql`cell.decision_event_tags t join cell.decision_events e on e.center_id = t.center_id and e.seq = t.seq
        where t.center_id = ${center} and t.tag = ${tag} and e.center_id = ${center}`,
      order: sql`t.seq`,
    }
  }
  return { from: sql`cell.decision_events e where e.center_id = ${center}`, order: sql`e.seq` }
}

/** Type, status, tag and what waits have an index in this order; the id has one by time. `after`: the event before the page; null for the first page. */
export async function listEvents(
  tx: TenantTx,
  filter: ListFilter,
  { after, limit, offset }: { after: string | null; limit: number; offset: number },
): Promise<SummaryRow[]> {
  const center = tx.caller.centerId
  const { from, order } = sourceOf(center, filter)
  const onwards =
    after === null
      ? sql``
      : and(sql`${order} < (select seq from cell.decision_events where center_id = ${center} and id = ${after})`)
  const { rows } = await sql<SummaryRow>`
    select e.id, e.decision_id, e.type, e.status, e.actor, e.action ->> 'type' as action_type, e.tags, e.created_at, e.updated_at
    from ${from}${conditions(filter)}${onwards}
    order by ${order} desc limit ${limit} offset ${offset}`.execute(tx.db)
  return rows
}

/** The ids of a page alone, for lists that show more of each decision. */
export async function listedIds(
  tx: TenantTx,
  filter: ListFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  return (await listEvents(tx, filter, { after, limit, offset: 0 })).map(({ id }) => id)
}

export async function eventExists(tx: TenantTx, id: string, own: BoundActor | undefined): Promise<boolean> {
  const { rows } = await sql`
    select from cell.decision_events e
    where e.center_id = ${tx.caller.centerId} and e.id = ${id}${own ? and(isOf(own)) : sql``}`.execute(tx.db)
  return rows.length === 1
}

export type StatusCounts = Record<'recorded' | 'approved' | 'sealed' | 'rejected', number>

/** Exact, in one snapshot, as the total is; `status` and `waiting` of the filter do not count. */
export async function countByStatus(tx: TenantTx, filter: ListFilter): Promise<StatusCounts> {
  const center = tx.caller.centerId
  const { status: _status, waiting: _waiting, ...own } = filter
  const { type, tag = '', ...others } = own
  const after = sql`and e.seq > coalesce((select counted_through from cell.decision_event_marks where center_id = ${center}), 0)`
  const isCounted = Object.values(others).every((value) => value === undefined)
  const marked = sql`
    select c.status, c.events::int as events from cell.decision_event_counts c
    where c.center_id = ${center} and c.tag = ${tag} ${type === undefined ? sql`` : and(sql`c.type = ${type}`)} union all`
  const { rows } = await sql<{ status: keyof StatusCounts; events: number }>`
    select status, sum(events)::int as events from (
      ${isCounted ? marked : sql``}
      select e.status, count(*)::int as events from ${sourceOf(center, own).from}${conditions(own)} ${isCounted ? after : sql``}
      group by e.status) each
    group by status`.execute(tx.db)
  const none: StatusCounts = { recorded: 0, approved: 0, sealed: 0, rejected: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ status, events }) => [status, events])) }
}

/**
 * The exact total. By type, status and tag it is the counts up to the mark plus the events after it, in one snapshot; with
 * any other filter the matching events are counted.
 */
export async function countEvents(tx: TenantTx, filter: ListFilter): Promise<{ total: number; uncounted: number }> {
  const { type = null, status = null, tag = null, ...others } = filter
  if (Object.values(others).some((value) => value !== undefined)) {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from ${sourceOf(tx.caller.centerId, filter).from}${conditions(filter)}`.execute(
      tx.db,
    )
    return { total: rows[0]?.total ?? 0, uncounted: 0 }
  }
  const { rows } = await sql<{ counted: number; uncounted: number }>`
    select counted, uncounted from cell.total_events(${type}, ${status}, ${tag})`.execute(tx.db)
  const { counted, uncounted } = rows[0] as { counted: number; uncounted: number }
  return { total: counted + uncounted, uncounted }
}
