/** Stops as people read them, and what runs while they begin. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { StoredFreeze } from '../../../governance/rules.ts'

/** A stop of the operator for all centers has no entry before the next decision that is judged in the center. */
export type ShownFreeze = Omit<StoredFreeze, 'made_index'> & { readonly made_index: number | null }

/** Those in force, then the last ones that were lifted. */
export async function newestFreezes(tx: TenantTx, mostLifted: number): Promise<readonly ShownFreeze[]> {
  const { rows } = await sql<{ row: ShownFreeze }>`
    (select json_build_object('id', id, 'covers', covers, 'reason', reason, 'rank', 'operator', 'made_by', made_by,
        'made_at', made_at, 'made_index', null, 'lifted_by', null, 'lifted_at', null, 'lift_reason', null) as row
      from cell.shared_freezes s where lifted_at is null
        and not exists (select from cell.freezes f where f.center_id = ${tx.caller.centerId} and f.id = s.id))
    union all
    (select row_to_json(f) as row from cell.freezes f
      where center_id = ${tx.caller.centerId} and lifted_at is null
        and not exists (select from cell.shared_freezes s where s.id = f.id and s.lifted_at is not null)
      order by made_index desc)
    union all
    (select row_to_json(f) from cell.freezes f
      where center_id = ${tx.caller.centerId} and lifted_at is not null order by lifted_index desc limit ${mostLifted})`.execute(
    tx.db,
  )
  return rows.map(({ row }) => row)
}

export interface RunningRow {
  readonly event_id: string
  readonly executor: string
  readonly consumed_by: string
  readonly consumed_at: Date
  readonly actor_id: string
  readonly action_type: string
  readonly recorded_by: string | null
}

/** Taken, and without an outcome: the newest first. */
export async function runningDecisions(tx: TenantTx, most: number): Promise<readonly RunningRow[]> {
  const { rows } = await sql<RunningRow>`
    select x.event_id, x.executor, x.consumed_by, x.consumed_at, coalesce(e.actor ->> 'id', '') as actor_id,
      e.action ->> 'type' as action_type, e.recorded_by
    from cell.decision_executions x join cell.decision_events e on e.center_id = x.center_id and e.id = x.event_id
    where x.center_id = ${tx.caller.centerId} and x.outcome_status is null
    order by x.consumed_at desc limit ${most}`.execute(tx.db)
  return rows
}

export type WaitingRow = Pick<RunningRow, 'event_id' | 'actor_id' | 'action_type' | 'recorded_by'>

export async function waitingDecisions(tx: TenantTx, most: number): Promise<readonly WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select w.event_id, coalesce(e.actor ->> 'id', '') as actor_id, e.action ->> 'type' as action_type, e.recorded_by
    from cell.waiting_decisions w join cell.decision_events e on e.center_id = w.center_id and e.id = w.event_id
    where w.center_id = ${tx.caller.centerId} and (w.expires_at is null or w.expires_at > now())
    order by w.seq desc limit ${most}`.execute(tx.db)
  return rows
}

/** The entries of the history about executions, among so many on either side of an index, and the last index of all. */
export async function executionsAround(tx: TenantTx, index: number, most: number) {
  const { centerId } = tx.caller
  const { rows } = await sql<{ idx: string; target: string }>`
    select idx, target from cell.chain_entries
    where center_id = ${centerId} and domain = 'history' and type = 'execution'
      and idx between ${index - most} and ${index + most} order by idx`.execute(tx.db)
  const { rows: last } = await sql<{ idx: string }>`
    select idx from cell.chain_entries where center_id = ${centerId} and domain = 'history' order by idx desc limit 1`.execute(
    tx.db,
  )
  return { entries: rows.map(({ idx, target }) => ({ idx: Number(idx), target })), last: Number(last[0]?.idx ?? 0) }
}

export interface ConsumedRow extends Omit<RunningRow, 'executor'> {
  readonly consumed_index: string
}

export async function consumedDecisions(tx: TenantTx, ids: readonly string[]): Promise<readonly ConsumedRow[]> {
  const { rows } = await sql<ConsumedRow>`
    select x.event_id, x.consumed_by, x.consumed_at, x.consumed_index, coalesce(e.actor ->> 'id', '') as actor_id,
      e.action ->> 'type' as action_type, e.recorded_by
    from cell.decision_executions x join cell.decision_events e on e.center_id = x.center_id and e.id = x.event_id
    where x.center_id = ${tx.caller.centerId} and x.event_id = any (${ids}::uuid[])`.execute(tx.db)
  return rows
}

/** When an entry of the history was sealed. */
export async function sealedAt(tx: TenantTx, index: number): Promise<number | null> {
  const { rows } = await sql<{ sealed_at: string }>`
    select sealed_at from cell.chain_entries
    where center_id = ${tx.caller.centerId} and domain = 'history' and idx = ${index}`.execute(tx.db)
  return rows[0] ? Date.parse(rows[0].sealed_at) : null
}

/** The job runs without a center here. */
export async function centersToMail(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select distinct center_id from cell.freezes where not mailed order by 1`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

export async function unmailed(tx: TenantTx): Promise<readonly StoredFreeze[]> {
  const { rows } = await sql<{ row: StoredFreeze }>`
    select row_to_json(f) as row from cell.freezes f
    where center_id = ${tx.caller.centerId} and not mailed order by made_index`.execute(tx.db)
  return rows.map(({ row }) => row)
}

/** Not if it was lifted meanwhile: that is mailed too. */
export async function noteMailed(tx: TenantTx, { id, last_entry }: StoredFreeze): Promise<void> {
  await sql`
    update cell.freezes set mailed = true
    where center_id = ${tx.caller.centerId} and id = ${id} and last_entry = ${last_entry}`.execute(tx.db)
}

export async function putShared(
  db: Kysely<never>,
  {
    id,
    covers,
    reason,
    by,
  }: { readonly id: string; readonly covers: string; readonly reason: string; readonly by: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into cell.shared_freezes (id, covers, reason, made_by) values (${id}, ${covers}, ${reason}, ${by})
    on conflict (id) do nothing`.execute(db)
  return numAffectedRows > 0n
}

export async function liftShared(
  db: Kysely<never>,
  { id, reason, by }: { readonly id: string | null; readonly reason: string; readonly by: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update cell.shared_freezes set lifted_by = ${by}, lifted_at = now(), lift_reason = ${reason}
    where id = ${id} and lifted_at is null`.execute(db)
  return numAffectedRows > 0n
}
