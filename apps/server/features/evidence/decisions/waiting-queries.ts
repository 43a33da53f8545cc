/** Waiting decisions, as the job maintains them: judged again, and announced to members. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { EventRow } from '../../../governance/rows.ts'
import type { WaitingRow } from '../decision-events/api.ts'
import type { GivenApproval } from './turns.ts'

/** The centers in which decisions wait or members have to be notified. The job runs without a center here. */
export async function centersWithWaiting(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select distinct center_id from cell.waiting_decisions
    union
    select center_id from cell.approval_notices where told < owed
    union
    select center_id from cell.decided_decisions where not told
    union
    select center_id from cell.emergencies where state = 'open' or not mailed order by 1`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

export interface WaitingEvent {
  readonly waiting: WaitingRow
  readonly event: EventRow
  /** Those given so far, oldest first. */
  readonly approvals: readonly GivenApproval[]
}

/** Of an approval `a`: whether the absence that covered a deputy's is still there. */
export const isDeputed = sql`
  (a.on_behalf_of is null or exists (
    select from cell.deputies p where p.center_id = a.center_id and p.actor_id::text = a.on_behalf_of
      and p.deputy_id::text = a.identity_by and p.starts_at <= a.created_at and p.ends_at > a.created_at))`

/** Of an approval `a`: whether the passkey that signed it is still bound to its person. */
export const isBound = sql`
  (a.passkey_id is null or exists (
    select from cell.passkeys k where k.center_id = a.center_id and k.id = a.passkey_id and not k.removed))`

/** The approvals of a row `w`, oldest first. */
export const givenApprovals = sql`
  (select coalesce(json_agg(json_build_object('position', a.position, 'approver', a.approver, 'result', a.result,
      'identity_level', a.identity_level, 'identity_by', a.identity_by, 'on_behalf_of', a.on_behalf_of,
      'passkey_id', a.passkey_id, 'control', a.control, 'created_at', a.created_at, 'taken_back_at', t.taken_back_at,
      'deputed', ${isDeputed}, 'bound', ${isBound}) order by a.position), '[]')
    from cell.approvals a left join cell.approval_take_backs t
      on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position
    where a.center_id = w.center_id and a.event_id = w.event_id)`

/** What is read of each, for all of them in one query. */
const waitingEvent = sql`
  (row_to_json(w)::jsonb || jsonb_build_object('lines', cell.pinned_policies(w.center_id, w.pinned))) as waiting,
  row_to_json(d) as event, ${givenApprovals} as approvals`

/** Approvals, and those that were taken back: the number only grows. */
const changesNow = sql`
  ((select count(*) from cell.approvals a where a.center_id = w.center_id and a.event_id = w.event_id)
    + (select count(*) from cell.approval_take_backs t where t.center_id = w.center_id and t.event_id = w.event_id))`
export const changesOf = (approvals: readonly GivenApproval[]): number =>
  approvals.length + approvals.filter(({ taken_back_at }) => taken_back_at).length

/** Rows that another transaction has locked are being sealed or judged there; they are left to the next run. */
async function lockedRows(
  tx: TenantTx,
  condition: ReturnType<typeof sql>,
  most: number,
): Promise<readonly WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    select ${waitingEvent}
    from cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.center_id = ${tx.caller.centerId} and ${condition}
    order by w.event_id limit ${most} for update of w skip locked`.execute(tx.db)
  return rows
}

export const judgedUnderOthers = (tx: TenantTx, versions: number, most: number) =>
  lockedRows(tx, sql`w.versions <> ${versions}`, most)

export const untold = (tx: TenantTx, at: Date, most: number) =>
  lockedRows(tx, sql`(not w.told or w.escalates_at <= ${at} or w.told_changes <> ${changesNow})`, most)

/** Members are notified again only if different policies ask than before. */
export async function judgeAgain(tx: TenantTx, row: WaitingRow): Promise<void> {
  const policies = JSON.stringify(row.policies)
  await sql`
    update cell.waiting_decisions set reasons = ${row.reasons}, policies = ${policies}::json, expires_at = ${row.expires_at},
      escalates_at = ${row.escalates_at}, versions = ${row.versions},
      informing = ${row.informing && JSON.stringify(row.informing)}::jsonb, told = told and policies::text = ${policies}
    where center_id = ${tx.caller.centerId} and event_id = ${row.event_id}`.execute(tx.db)
}

/** It is judged under the policies of now; nothing of it changes. */
export async function noteJudged(tx: TenantTx, eventId: string, versions: number): Promise<void> {
  await sql`
    update cell.waiting_decisions set versions = ${versions}
    where center_id = ${tx.caller.centerId} and event_id = ${eventId}`.execute(tx.db)
}

export async function expiredDecisions(tx: TenantTx, at: Date, most: number): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from cell.waiting_decisions
    where center_id = ${tx.caller.centerId} and expires_at <= ${at} order by expires_at limit ${most}`.execute(tx.db)
  return rows.map(({ event_id }) => event_id)
}

interface ToldRow {
  readonly event_id: string
  readonly changes: number
  readonly escalates_at: string | null
}

export async function noteTold(tx: TenantTx, rows: readonly ToldRow[], at: Date): Promise<void> {
  await sql`
    update cell.waiting_decisions w
    set told = true, announced = true, told_at = ${at}, told_changes = t.changes, escalates_at = t.escalates_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as t (event_id uuid, changes integer, escalates_at timestamptz)
    where w.center_id = ${tx.caller.centerId} and w.event_id = t.event_id`.execute(tx.db)
}

export async function oweNotice(tx: TenantTx, actorIds: readonly string[]): Promise<void> {
  await sql`
    insert into cell.approval_notices (actor_id, owed) select id, 1 from unnest(${actorIds}::uuid[]) id order by id
    on conflict (center_id, actor_id) do update set owed = approval_notices.owed + 1`.execute(tx.db)
}

export async function owedNotices(tx: TenantTx): Promise<readonly { actor_id: string; owed: number }[]> {
  const { rows } = await sql<{ actor_id: string; owed: number }>`
    select actor_id, owed from cell.approval_notices
    where center_id = ${tx.caller.centerId} and told < owed order by actor_id`.execute(tx.db)
  return rows
}

/** A notification that was added in the meantime stays pending. */
export async function settleNotice(tx: TenantTx, actorId: string, owed: number): Promise<void> {
  await sql`
    update cell.approval_notices set told = greatest(told, ${owed})
    where center_id = ${tx.caller.centerId} and actor_id = ${actorId}`.execute(tx.db)
}

export async function newestWaiting(tx: TenantTx, most: number): Promise<readonly WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    select ${waitingEvent}
    from cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.center_id = ${tx.caller.centerId} order by w.seq desc limit ${most}`.execute(tx.db)
  return rows
}

export type Informing = NonNullable<WaitingRow['informing']>

export interface ClosedDecision {
  readonly event_id: string
  readonly informing: Informing
}

/** Closed decisions of which nobody has been told yet. */
export async function uninformed(tx: TenantTx, most: number): Promise<readonly ClosedDecision[]> {
  const { rows } = await sql<ClosedDecision>`
    select event_id, informing from cell.decided_decisions
    where center_id = ${tx.caller.centerId} and not told order by seq limit ${most}`.execute(tx.db)
  return rows
}

export async function noteInformed(tx: TenantTx, eventIds: readonly string[]): Promise<void> {
  await sql`
    update cell.decided_decisions set told = true
    where center_id = ${tx.caller.centerId} and event_id = any (${eventIds}::uuid[])`.execute(tx.db)
}

export async function deputiesNow(tx: TenantTx, at: Date): Promise<readonly { actor_id: string; deputy_id: string }[]> {
  const { rows } = await sql<{ actor_id: string; deputy_id: string }>`
    select actor_id, deputy_id from cell.deputies
    where center_id = ${tx.caller.centerId} and starts_at <= ${at} and ends_at > ${at}`.execute(tx.db)
  return rows
}

/** False if this address was notified less than ten minutes ago. Of two processes, one succeeds. */
export async function claimAddress(tx: IdentityTx, address: string, at: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into directory.told_addresses as t (address, expires_at) values (lower(${address}), ${until})
    on conflict (address) do update set expires_at = excluded.expires_at where t.expires_at <= ${at}
    returning address`.execute(tx.db)
  return rows.length === 1
}
