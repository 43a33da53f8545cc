/** The inbox in the order of risk or expiry, and how decisions were decided under each policy. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { firstUuidAt } from '../../../lib/ids.ts'

export interface InboxRow {
  readonly id: string
  readonly decision_id: string
  readonly type: string
  readonly actor: object
  readonly action_type: string
  readonly description: string | null
  readonly tags: string[]
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
}

export interface InboxPage {
  readonly actorId: string
  readonly sort: keyof typeof orders
  readonly limit: number
  readonly offset: number
}

/** In bytes. A list carries no long actions. */
const longestListed = 2048

/** The rows of the page are chosen first: what is counted about each is read for those only. */
export async function inboxPage(tx: TenantTx, { actorId, sort, limit, offset }: InboxPage): Promise<InboxRow[]> {
  const { rows } = await sql<InboxRow>`
    select d.id, d.decision_id, d.type, d.actor, d.action ->> 'type' as action_type,
      left(d.action ->> 'description', 500) as description, d.tags, d.risk_score, w.since, w.expires_at, w.reasons, w.policies,
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
      select w.center_id, w.event_id, row_number() over (order by ${orders[sort]}) as place
      from cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
      where w.center_id = ${tx.caller.centerId} and d.center_id = ${tx.caller.centerId}
      order by place limit ${limit} offset ${offset}) p
    join cell.waiting_decisions w on w.center_id = p.center_id and w.event_id = p.event_id
    join cell.decision_events d on d.center_id = p.center_id and d.id = p.event_id
    where p.center_id = ${tx.caller.centerId}
    order by p.place`.execute(tx.db)
  return rows
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

export interface OversightRow {
  readonly policy_id: string
  readonly decided: number
  readonly approved: number
  readonly refused: number
  readonly expired: number
  readonly opened: number
  readonly to_decide: number | null
  readonly open: number | null
  /** Decisions that were read, the same in every row. */
  readonly decisions: number
}

const maxDecisions = 5000

/** The last approval of each decision decided it. Replaced and guarded decisions were decided by no person. */
export async function oversightSince(tx: TenantTx, since: Date): Promise<readonly OversightRow[]> {
  const { rows } = await sql<OversightRow>`
    with sealed as (
      select u.center_id, u.id, u.policies from cell.dpus u
      where u.center_id = ${tx.caller.centerId} and u.domain = 'proof' and u.policies is not null
        and u.id >= ${firstUuidAt(since.getTime())}
      order by u.id desc limit ${maxDecisions}
    ), decided as (
      select s.policies, a.result, a.identity_level = 'system' as by_service, a.opened_at is not null as opened,
        extract(epoch from a.created_at - d.created_at)::float8 as to_decide,
        extract(epoch from a.created_at - a.opened_at)::float8 as open
      from sealed s join cell.decision_events d on d.center_id = s.center_id and d.id = s.id
      cross join lateral (
        select * from cell.approvals a where a.center_id = s.center_id and a.event_id = s.id
        order by a.position desc limit 1) a
      where a.identity_level <> 'system' or a.reason = 'expired'
    )
    select p.policy ->> 'id' as policy_id, count(*)::int as decided,
      count(*) filter (where not by_service and result = 'approved')::int as approved,
      count(*) filter (where not by_service and result = 'rejected')::int as refused,
      count(*) filter (where by_service)::int as expired,
      count(*) filter (where not by_service and opened)::int as opened,
      percentile_cont(0.5) within group (order by to_decide) filter (where not by_service) as to_decide,
      percentile_cont(0.5) within group (order by open) filter (where open is not null) as open,
      (select count(*)::int from sealed) as decisions
    from decided cross join lateral json_array_elements(policies) p (policy)
    group by 1 order by 2 desc, 1`.execute(tx.db)
  return rows
}
