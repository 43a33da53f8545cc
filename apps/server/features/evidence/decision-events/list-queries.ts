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

function conditions(filter: ListFilter): RawBuilder<unknown> {
  const { type, status, tag, waiting, actorId, decisionId, from, to, own, informed } = filter
  const held = sql`exists (select from cell.waiting_decisions h where h.center_id = e.center_id and h.event_id = e.id)`
  return sql.join(
    [
      type !== undefined && and(sql`e.type = ${type}`),
      status !== undefined && !isLedByStatus(filter) && and(sql`e.status = ${status}`),
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

/** Whether the list begins at the rows of the status: each of the other sources has fewer rows than that. */
const isLedByStatus = ({ status, waiting, informed, decisionId }: ListFilter): boolean =>
  status !== undefined && waiting !== 'true' && informed === undefined && decisionId === undefined

/** What is open has rows of its own; what is closed is found by its evidence. */
function sourceOfStatus(center: number, status: string, tag: string | undefined) {
  const isOpen = status === 'recorded' || status === 'approved'
  const seq = isOpen ? sql`s.seq` : sql`s.event_seq`
  const stated = isOpen ? sql`cell.open_decisions s` : sql`cell.dpus s`
  const state = isOpen ? sql`s.status` : sql`s.event_status`
  const tagged = sql`join cell.decision_event_tags t on t.center_id = ${center} and t.tag = ${tag} and t.seq = ${seq}`
  return {
    from: sql`${stated} join cell.decision_events e on e.center_id = s.center_id and e.seq = ${seq} ${tag === undefined ? sql`` : tagged}
      where s.center_id = ${center} and ${state} = ${status} and ${seq} is not null and e.center_id = ${center}`,
    order: seq,
  }
}

/** `order` is the column of an index in the order of the list. */
function sourceOf(center: number, filter: ListFilter) {
  const { status, tag, waiting, informed } = filter
  if (status !== undefined && isLedByStatus(filter)) return sourceOfStatus(center, status, tag)
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
    from (
      select e.id, e.seq from ${from}${conditions(filter)}${onwards}
      order by ${order} desc limit ${limit} offset ${offset}) p
    join cell.decision_events e on e.center_id = ${center} and e.id = p.id
    order by p.seq desc`.execute(tx.db)
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

/** Without the view, which looks up one decision at a time: a filter may match all of a center. */
const statesOf = (center: number, filter: ListFilter) => sql`
  select coalesce(o.status, u.event_status, 'sealed') as status, count(*)::int as events
  from (select e.seq from ${sourceOf(center, filter).from}${conditions(filter)}) e
    left join cell.open_decisions o on o.center_id = ${center} and o.seq = e.seq
    left join cell.dpus u on u.center_id = ${center} and u.event_seq = e.seq
  group by 1`

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
      ${isCounted ? sql`select e.status, count(*)::int as events from ${sourceOf(center, own).from}${conditions(own)} ${after} group by e.status` : statesOf(center, own)}) each
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
