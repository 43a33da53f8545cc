/** The inbox in the order of risk or expiry, and how decisions were decided under each policy. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { type InformedMember, informs } from '../decision-events/api.ts'
import type { GivenApproval } from './turns.ts'
import { givenApprovals } from './waiting-queries.ts'

export interface InboxRow {
  readonly id: string
  readonly decision_id: string
  readonly type: string
  readonly actor: object
  readonly action_type: string
  readonly description: string | null
  readonly tags: string[]
  readonly status: string
  readonly risk_score: number | null
  readonly since: Date
  readonly expires_at: Date | null
  readonly reasons: string[]
  readonly policies: readonly { readonly id: string; readonly version: number }[]
  /** Without what is too long for a headline in a list. */
  readonly action: { readonly type: string; readonly input?: object }
  readonly approvals: number
  readonly comments: number
  readonly opened_at: Date | null
  readonly opened: boolean
  readonly opened_by_others: number
}

const orders = {
  risk: sql`d.risk_score desc nulls first, w.expires_at nulls last, w.seq`,
  expiry: sql`w.expires_at nulls last, d.risk_score desc nulls first, w.seq`,
  newest: sql`d.seq desc`,
}

export interface InboxPage {
  readonly actorId: string
  readonly sort: keyof typeof orders
  readonly limit: number
  readonly offset: number
  /** Only these decisions, open or closed; null for all that wait. */
  readonly ids: readonly string[] | null
}

/** In bytes. A list carries no long actions. */
const longestListed = 2048

const allWaiting = ({ caller: { centerId } }: TenantTx) => sql`
  cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
  where w.center_id = ${centerId} and d.center_id = ${centerId}`
const among = ({ caller: { centerId } }: TenantTx, ids: readonly string[]) => sql`
  cell.decision_events d left join cell.waiting_decisions w on w.center_id = d.center_id and w.event_id = d.id
  where d.center_id = ${centerId} and d.id = any (${ids}::uuid[])`

/** The rows of the page are chosen first: what is counted about each is read for those only. */
export async function inboxPage(tx: TenantTx, { actorId, sort, limit, offset, ids }: InboxPage): Promise<InboxRow[]> {
  const { rows } = await sql<InboxRow>`
    select d.id, d.decision_id, d.type, d.actor, d.action ->> 'type' as action_type,
      left(d.action ->> 'description', 500) as description, d.tags, d.status, d.risk_score,
      coalesce(w.since, d.created_at) as since, w.expires_at, coalesce(w.reasons, '{}') as reasons,
      coalesce(w.policies, '[]') as policies,
      case when octet_length(d.action::text) <= ${longestListed} then d.action
        else json_build_object('type', left(d.action ->> 'type', 500)) end as action,
      (select count(*)::int from cell.approvals a where a.center_id = d.center_id and a.event_id = d.id) as approvals,
      (select count(*)::int from cell.decision_comments c where c.center_id = d.center_id and c.event_id = d.id) as comments,
      (select o.opened_at from cell.decision_openings o
        where o.center_id = d.center_id and o.event_id = d.id and o.actor_id = ${actorId}) as opened_at,
      exists (select from cell.decision_openings o where o.center_id = d.center_id and o.event_id = d.id
        and o.actor_id = ${actorId} and o.action_digest = d.action_digest) as opened,
      (select count(*)::int from cell.decision_openings o
        where o.center_id = d.center_id and o.event_id = d.id and o.actor_id <> ${actorId}) as opened_by_others
    from (
      select d.center_id, d.id as event_id, row_number() over (order by ${orders[sort]}) as place
      from ${ids === null ? allWaiting(tx) : among(tx, ids)}
      order by place limit ${limit} offset ${offset}) p
    join cell.decision_events d on d.center_id = p.center_id and d.id = p.event_id
    left join cell.waiting_decisions w on w.center_id = p.center_id and w.event_id = p.event_id
    where p.center_id = ${tx.caller.centerId}
    order by p.place`.execute(tx.db)
  return rows
}

/** Of the decisions that wait, and of the closed ones, the views of a person cover as many of the newest. */
const mostViewed = 1000

/** What whose turn it is depends on, of the newest that wait, in one query. */
export interface TurnRow {
  readonly id: string
  readonly since: string
  readonly policies: readonly { readonly id: string; readonly version: number }[]
  readonly event: Pick<EventRow, 'actor' | 'risk_score' | 'recorded_by'>
  readonly approvals: readonly GivenApproval[]
}

export async function turnRows(tx: TenantTx): Promise<readonly TurnRow[]> {
  const { rows } = await sql<TurnRow>`
    select w.event_id as id, to_json(w.since) #>> '{}' as since, w.policies,
      json_build_object('actor', d.actor, 'risk_score', d.risk_score, 'recorded_by', d.recorded_by) as event,
      ${givenApprovals} as approvals
    from cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.center_id = ${tx.caller.centerId} order by w.seq desc limit ${mostViewed}`.execute(tx.db)
  return rows
}

/** Those of the newest that wait or are closed that this actor, or one of these keys, asked for. */
export async function askedBy(tx: TenantTx, actorId: string, keys: readonly string[]): Promise<readonly string[]> {
  const { centerId } = tx.caller
  const { rows } = await sql<{ id: string }>`
    select d.id from (
      (select event_id from cell.waiting_decisions where center_id = ${centerId} order by seq desc limit ${mostViewed})
      union all
      (select event_id from cell.decided_decisions where center_id = ${centerId} order by seq desc limit ${mostViewed})) n
    join cell.decision_events d on d.center_id = ${centerId} and d.id = n.event_id
    where d.actor ->> 'id' = ${actorId} or d.recorded_by = any (${keys}::text[])`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** The newest closed ones of which policies inform this member. */
export async function informedOf(tx: TenantTx, member: InformedMember): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select i.event_id from cell.decided_decisions i
    where i.center_id = ${tx.caller.centerId} and i.informing is not null and ${informs(member)}
    order by i.seq desc limit ${mostViewed}`.execute(tx.db)
  return rows.map(({ event_id }) => event_id)
}

export interface InboxCounts {
  readonly waiting: number
  readonly expiringWithinHour: number
  readonly unopened: number
  readonly withoutRisk: number
}

export async function inboxCounts(tx: TenantTx, actorId: string, soon: Date): Promise<InboxCounts> {
  const { rows } = await sql<InboxCounts>`
    select count(*)::int as waiting, count(*) filter (where w.expires_at <= ${soon})::int as "expiringWithinHour",
      count(*) filter (where d.risk_score is null)::int as "withoutRisk",
      count(*) filter (where not exists (select from cell.decision_openings o
        where o.center_id = w.center_id and o.event_id = w.event_id and o.actor_id = ${actorId}))::int as unopened
    from cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.center_id = ${tx.caller.centerId} and d.center_id = ${tx.caller.centerId}`.execute(tx.db)
  return rows[0] as InboxCounts
}
