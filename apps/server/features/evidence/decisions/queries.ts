import type { ActorRole } from '@countersign/contract/enums.ts'
import type { StopCovers } from '@countersign/proof/stops.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { ApprovalRow } from '../../../governance/rows.ts'
import { typedId } from '../../../lib/ids.ts'
import type { StandingRow } from '../action-types/api.ts'
import type { StoredEventRow, WaitingRow } from '../decision-events/api.ts'
import { emergencyTables, type ShownEmergency, shownEmergency } from './confirmation-queries.ts'
import type { GivenApproval, StoredPlace } from './turns.ts'
import { isBound, isDeputed } from './waiting-queries.ts'

export type GivenApprovalRow = ApprovalRow & GivenApproval & { readonly taken_back_at: string | null }

export interface CommentRow {
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly text: string
  readonly created_at: string
}

export interface ExecutionRow {
  readonly executor: string
  readonly consumed_by: string
  readonly consumed_at: string
  readonly outcome_status: string | null
  readonly outcome_at: string | null
  readonly outcome_by: string | null
  readonly later_by: string | null
  readonly later_status: string | null
  readonly later_at: string | null
  /** Of the outcome that was reported last; null without one, and once it is redacted. */
  readonly output: Record<string, unknown> | null
}

interface SealedApproval {
  readonly void?: string
  readonly admitted?: readonly StoredPlace[]
}

export interface DetailsRow extends StoredEventRow {
  readonly waiting: WaitingRow | null
  readonly approvals: readonly GivenApprovalRow[] | null
  /** What the seal says of each earlier approval, and of the one that sealed. */
  readonly prior_controls: readonly SealedApproval[] | null
  readonly own_control: SealedApproval | null
  /** Those that the seal names; null while it is open. */
  readonly sealed_policies: readonly { readonly id: string; readonly version: number }[] | null
  /** As sealed. */
  readonly usable_until: string | null
  /** What was approved in an emergency, once it is sealed. */
  readonly emergency: ShownEmergency | null
  readonly comments: readonly CommentRow[] | null
  readonly execution: ExecutionRow | null
  /** Of the type as it was sent, without its capital letters A to Z; most types have no other spelling. */
  readonly own_template: StandingRow | null
}

export async function findDetails(tx: TenantTx, id: string): Promise<DetailsRow | undefined> {
  const { rows } = await sql<DetailsRow>`
    select d.*, u.chain_index, e.hash as chain_hash,
      (select row_to_json(w) from (select w.*, cell.pinned_policies(w.center_id, w.pinned) as lines
        from cell.waiting_decisions w where w.center_id = d.center_id and w.event_id = d.id) w) as waiting,
      (select json_agg(row_to_json(a) order by a.position) from (
        select a.*, t.taken_back_at, ${isDeputed} as deputed, ${isBound} as bound from cell.approvals a left join cell.approval_take_backs t
          on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position
        where a.center_id = d.center_id and a.event_id = d.id) a) as approvals,
      (select row_to_json(m) from (select ${shownEmergency} from ${emergencyTables}
        where m.center_id = ${tx.caller.centerId} and m.event_id = ${id}) m) as emergency,
      u.prior_controls, u.control as own_control, u.policies as sealed_policies, u.control ->> 'usableUntil' as usable_until,
      (select json_agg(row_to_json(c) order by c.id) from cell.decision_comments c
        where c.center_id = d.center_id and c.event_id = d.id) as comments,
      (select row_to_json(x) from (select x.*, h.disclosed -> 'output' as output
        from cell.decision_executions x left join cell.history h
          on h.center_id = x.center_id and h.idx = coalesce(x.later_index, x.outcome_index)
        where x.center_id = d.center_id and x.event_id = d.id) x) as execution,
      (select row_to_json(t) from cell.action_type_versions t
        where t.center_id = d.center_id and t.key = lower((d.action ->> 'type') collate "C")
        order by t.version desc limit 1) as own_template
    from cell.decision_events d
      left join cell.dpus u on u.center_id = d.center_id and u.id = d.id
      left join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
    where d.center_id = ${tx.caller.centerId} and d.id = ${id}`.execute(tx.db)
  return rows[0]
}

/** The first time stays. Undefined for a decision that is closed and that this member never opened. */
export async function noteOpening(
  tx: TenantTx,
  { eventId, actorId, actionDigest }: { eventId: string; actorId: string; actionDigest: string | null },
  at: Date,
): Promise<Date | undefined> {
  await sql`
    insert into cell.decision_openings as o (event_id, actor_id, opened_at, action_digest)
    select d.id, ${actorId}, ${at}, ${actionDigest} from cell.decision_events d
    where d.center_id = ${tx.caller.centerId} and d.id = ${eventId} and d.status in ('recorded', 'approved')
    on conflict (center_id, event_id, actor_id) do update set action_digest = excluded.action_digest
      where o.action_digest is distinct from excluded.action_digest and excluded.action_digest is not null`.execute(
    tx.db,
  )
  return openedAt(tx, eventId, actorId)
}

async function openedAt(tx: TenantTx, eventId: string, actorId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ opened_at: Date }>`
    select opened_at from cell.decision_openings
    where center_id = ${tx.caller.centerId} and event_id = ${eventId} and actor_id = ${actorId}`.execute(tx.db)
  return rows[0]?.opened_at
}

/** Those of these decisions that a member has opened as they are now. */
export async function openedAmong(tx: TenantTx, actorId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_id: string }>`
    select o.event_id from cell.decision_openings o
      join cell.decision_events d on d.center_id = o.center_id and d.id = o.event_id and d.action_digest = o.action_digest
    where o.center_id = ${tx.caller.centerId} and o.actor_id = ${actorId} and o.event_id = any (${ids}::uuid[])`.execute(
    tx.db,
  )
  return new Set(rows.map(({ event_id }) => event_id))
}

/** False for a decision that is closed. */
export async function insertComment(
  tx: TenantTx,
  comment: { id: string; eventId: string; authorId: string; authorName: string; text: string; at: Date },
): Promise<boolean> {
  const { id, eventId, authorId, authorName, text, at } = comment
  const { numAffectedRows } = await sql`
    insert into cell.decision_comments (event_id, id, author_id, author_name, text, created_at)
    select d.id, ${id}, ${authorId}, ${authorName}, ${text}, ${at} from cell.decision_events d
    where d.center_id = ${tx.caller.centerId} and d.id = ${eventId} and d.status in ('recorded', 'approved')`.execute(
    tx.db,
  )
  return numAffectedRows === 1n
}

export async function commentersOf(tx: TenantTx, eventId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ author_id: string }>`
    select distinct author_id from cell.decision_comments
    where center_id = ${tx.caller.centerId} and event_id = ${eventId}`.execute(tx.db)
  return rows.map(({ author_id }) => author_id)
}

export interface ApproverRow {
  readonly actor_id: string
  readonly membership_id: string
  readonly name: string
  readonly email: string | null
  /** The highest first; others than ADMIN and INSTRUCTOR may be among them. */
  readonly roles: readonly ActorRole[]
}

/** By id, also of members whose membership has ended. */
export async function memberNames(tx: DirectoryTx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ actor_id: string; name: string }>`
    select m.actor_id, m.name from directory.memberships m
    where m.center_id = ${tx.caller.centerId} and m.actor_id = any (${ids}::uuid[])`.execute(tx.db)
  return new Map(rows.map(({ actor_id, name }) => [actor_id, name]))
}

/** Also of a key that was revoked. */
export async function keyName(tx: DirectoryTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from directory.api_keys where center_id = ${tx.caller.centerId} and id = ${id}`.execute(tx.db)
  return rows[0]?.name ?? null
}

/** The keys that this actor has made, or that record as them, by the names under which decisions know them; also revoked ones. */
export async function keysOf(tx: DirectoryTx, actorId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from directory.api_keys
    where center_id = ${tx.caller.centerId} and (created_by = ${actorId} or bound_to ->> 'id' = ${actorId})`.execute(
    tx.db,
  )
  return rows.map(({ id }) => typedId('apiKey', id))
}

/** The ACTIVE members who may approve by their role; only these people where `among` is given. */
export async function approvingMembers(tx: DirectoryTx, among?: readonly string[]): Promise<readonly ApproverRow[]> {
  const { rows } = await sql<ApproverRow>`
    select m.actor_id, m.id as membership_id, m.name, a.email, m.roles
    from directory.memberships m join directory.actors a on a.id = m.actor_id
    where m.center_id = ${tx.caller.centerId} and m.status = 'ACTIVE' and m.role in ('ADMIN', 'INSTRUCTOR')
      ${among === undefined ? sql`` : sql`and m.actor_id = any (${among}::uuid[])`}
    order by m.actor_id`.execute(tx.db)
  return rows
}

/** For what people are shown; the batch that seals judges by its own rows. */
export async function stopsInForce(
  tx: TenantTx,
): Promise<readonly { readonly id: string; readonly covers: StopCovers }[]> {
  const { rows } = await sql<{ id: string; covers: StopCovers }>`
    select id, covers from cell.freezes f where center_id = ${tx.caller.centerId} and lifted_at is null
      and not exists (select from cell.shared_freezes s where s.id = f.id and s.lifted_at is not null)
    union all select id, covers from cell.shared_freezes where lifted_at is null`.execute(tx.db)
  return rows
}
