/** Executions of a center as people list and watch them, and their start. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { Counted } from './definition.ts'

export interface NewExecution {
  readonly id: string
  readonly workflow_key: string
  readonly trigger: string
  readonly alone: boolean
  readonly parameters: string
  readonly event: string | null
  readonly started_by: string | null
  readonly tags: string[]
  readonly scheduled_for: Date | null
  readonly unit_id: string
  readonly started_at: Date
  readonly next_at: Date
}

/** Takes a lock, so that concurrent starts cannot exceed the limit of the center. */
export async function countOpen(tx: TenantTx): Promise<number> {
  const { centerId } = tx.caller
  await sql`select pg_advisory_xact_lock(hashtext('cell.executions'), ${centerId})`.execute(tx.db)
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from cell.executions
    where center_id = ${centerId} and status = 'RUNNING'`.execute(tx.db)
  return rows[0]?.open ?? 0
}

/** False where an execution is running that must be the only one, or the due time was started already. */
export async function insertExecution(tx: TenantTx, execution: NewExecution): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('executions')
    .values({ center_id: tx.caller.centerId, ...execution })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export interface ExecutionRow {
  readonly id: string
  readonly workflow_key: string
  readonly status: string
  readonly trigger: string
  readonly started_at: Date
  readonly completed_at: Date | null
  readonly failure: string | null
  readonly unit_id: string
  readonly evidence_level: string | null
}

/** With the present evidence level of the unit that the execution left; null where it left none. */
const executions = (tx: TenantTx) =>
  tx.db
    .selectFrom('executions as e')
    .leftJoin('dpus as d', (join) => join.onRef('d.center_id', '=', 'e.center_id').onRef('d.id', '=', 'e.unit_id'))
    .select([
      'e.id',
      'e.workflow_key',
      'e.status',
      'e.trigger',
      'e.started_at',
      'e.completed_at',
      'e.failure',
      'e.unit_id',
      'd.evidence_level',
    ])
    .where('e.center_id', '=', tx.caller.centerId)

export const pageOfExecutions = (
  tx: TenantTx,
  key: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ExecutionRow[]> =>
  executions(tx).where('e.workflow_key', '=', key).orderBy('e.id', 'desc').limit(limit).offset(offset).execute()

export async function countExecutions(tx: TenantTx, key: string): Promise<number> {
  const row = await tx.db
    .selectFrom('executions')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('center_id', '=', tx.caller.centerId)
    .where('workflow_key', '=', key)
    .executeTakeFirstOrThrow()
  return row.total
}

export interface WatchedRow extends ExecutionRow {
  readonly parameters: unknown
  readonly scheduled_for: Date | null
  readonly leased: boolean
  readonly leased_at: Date | null
}

export const findExecution = (tx: TenantTx, id: string): Promise<WatchedRow | undefined> =>
  executions(tx)
    .select(['e.parameters', 'e.scheduled_for', 'e.leased', 'e.leased_at'])
    .where('e.id', '=', id)
    .executeTakeFirst()

export interface StepRow {
  readonly position: number
  readonly name: string
  readonly status: string
  readonly attempts: number
  readonly error: string | null
  readonly started_at: Date
  readonly completed_at: Date | null
}

export const stepsOf = (tx: TenantTx, id: string): Promise<StepRow[]> =>
  tx.db
    .selectFrom('execution_steps')
    .select(['position', 'name', 'status', 'attempts', 'error', 'started_at', 'completed_at'])
    .where('center_id', '=', tx.caller.centerId)
    .where('execution_id', '=', id)
    .orderBy('position')
    .execute()

/** What the first step returned as `counted`. */
export async function countedOf(tx: TenantTx, id: string): Promise<Counted | null> {
  const { rows } = await sql<{ counted: Counted | null }>`
    select output -> 'counted' as counted from cell.execution_steps
    where center_id = ${tx.caller.centerId} and execution_id = ${id} and position = 0`.execute(tx.db)
  return rows[0]?.counted ?? null
}

export interface StandingRow {
  readonly workflow_key: string
  readonly last_run: Date | null
}

/** When each workflow was last started, by one index lookup each. */
export async function standingOf(tx: TenantTx, keys: readonly string[]): Promise<StandingRow[]> {
  const center = tx.caller.centerId
  const { rows } = await sql<StandingRow>`
    select k.key as workflow_key, (
        select e.started_at from cell.executions e
        where e.center_id = ${center} and e.workflow_key = k.key order by e.id desc limit 1) as last_run
    from unnest(${keys}::text[]) k (key)`.execute(tx.db)
  return rows
}
