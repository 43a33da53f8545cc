import { sql } from 'kysely'
import type { Cell, TenantTx } from '../../../data/cells.ts'
import type { ApprovalRow, PolicyRow, EventRow as SealableEvent } from '../../../governance/rows.ts'

/** The copy of a center's policies that a process judges on. */
export interface PolicyCopy {
  readonly versions: number
  readonly policies: readonly PolicyRow[]
}

type Times = 'occurred_at' | 'created_at' | 'updated_at'

/** An event as the driver reads it, with the index of its evidence in the chain once it is sealed. */
export interface StoredEventRow extends Omit<SealableEvent, Times | 'fingerprint'>, Readonly<Record<Times, Date>> {
  readonly fingerprint: Buffer | null
  readonly chain_index: number | null
  readonly chain_hash: string | null
}

/** The same function as the batch uses, within a larger transaction. */
export async function insertEvent(tx: TenantTx, row: string, waiting: string | null): Promise<boolean> {
  const { rows } =
    await sql`select event_id from cell.record_events(${[tx.caller.centerId]}::integer[], ${`[${row}]`}::json, false)`.execute(
      tx.db,
    )
  if (rows.length === 1 && waiting !== null) await beginWaiting(tx, [waiting])
  return rows.length === 1
}

/** Rows of decisions that wait, as JSON. A decision that is closed, or that has a row, is left out. */
export async function beginWaiting(tx: TenantTx, rows: readonly string[]): Promise<void> {
  await sql`select cell.begin_waiting(${`[${rows.join(',')}]`}::json)`.execute(tx.db)
}

/** The current policies of the transaction's center. */
export async function policyCopy(tx: TenantTx): Promise<PolicyCopy> {
  const { rows } = await sql<PolicyCopy>`
    select versions, policies from cell.policy_copies(${[tx.caller.centerId]}::integer[])`.execute(tx.db)
  return rows[0] as PolicyCopy
}

export async function findByDecisionId(tx: TenantTx, decisionId: string): Promise<StoredEventRow | undefined> {
  const { rows } = await sql<StoredEventRow>`
    select d.*, u.chain_index, e.hash as chain_hash from cell.decision_events d
      left join cell.dpus u on u.center_id = d.center_id and u.id = d.id
      left join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
    where d.center_id = ${tx.caller.centerId} and d.decision_id = ${decisionId}`.execute(tx.db)
  return rows[0]
}

/** The row as the sequencer reads it. */
export async function findEvent(tx: TenantTx, id: string): Promise<SealableEvent | undefined> {
  const { rows } = await sql<{ event: SealableEvent }>`
    select row_to_json(d) as event from cell.decision_events d
    where d.center_id = ${tx.caller.centerId} and d.id = ${id}`.execute(tx.db)
  return rows[0]?.event
}

/** The approval that sealed a decision. */
export async function lastApproval(tx: TenantTx, eventId: string): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<{ approval: ApprovalRow }>`
    select row_to_json(a) as approval from cell.approvals a
    where a.center_id = ${tx.caller.centerId} and a.event_id = ${eventId} order by a.position desc limit 1`.execute(
    tx.db,
  )
  return rows[0]?.approval
}

/** Moves the mark over at most `most` events and returns how many it counted. */
export async function advanceMark(tx: TenantTx, most: number): Promise<number> {
  const { rows } = await sql<{ counted: number }>`select cell.count_events(${most}) as counted`.execute(tx.db)
  return rows[0]?.counted ?? 0
}

/** Events of several centers, and what of them waits. `versions` belongs to `centerIds`, one each. */
export interface RecordedBatch {
  readonly centerIds: readonly number[]
  readonly events: string
  readonly fresh: boolean
  /** What `waiting` was judged under; if it is outdated, nothing is recorded and the result is null. Null: not compared. */
  readonly versions: readonly number[] | null
  readonly waiting: string | null
}

const recordCall = {
  pool: 'recorder',
  name: 'record_batch',
  text: 'select event_id from cell.record_batch($1, $2, $3, $4, $5)',
  wakes: true,
} as const

export async function recordBatch(cell: Cell, batch: RecordedBatch): Promise<readonly string[] | null> {
  const { centerIds, events, fresh, versions, waiting } = batch
  const values = [`{${centerIds.join(',')}}`, events, fresh, versions && `{${versions.join(',')}}`, waiting]
  const ids = (await cell.call<{ event_id: string | null }>(recordCall, values)).map((row) => row.event_id)
  return ids[0] === null ? null : (ids as string[])
}

const copiesCall = {
  pool: 'recorder',
  name: 'copy_policies',
  text: 'select center_id, versions, policies from cell.copy_policies($1)',
} as const

/** The policies in force of centers in the recorder's role, with the numbers of their versions. */
export const readPolicyCopies = (cell: Cell, centerIds: readonly number[]) =>
  cell.call<PolicyCopy & { readonly center_id: number }>(copiesCall, [`{${centerIds.join(',')}}`])
