/** SQL of workers that run executions: leases and recorded steps. */
import { type Kysely, sql } from 'kysely'
import type { Lease, LeaseStore } from '../../../concurrency/leases.ts'
import type { Cell } from '../../../data/cells.ts'
import type { ExecutionFigures } from '../../../lib/metrics-scanned.ts'

export interface RecordedStep {
  readonly name: string
  readonly status: 'COMPLETED' | 'RETRYING'
  readonly attempts: number
  readonly output: unknown
  readonly error: string | null
}

/** A leased execution; every write of it names the epoch. */
export interface ExecutionLease extends Lease {
  readonly center_id: number
  readonly id: string
  readonly epoch: number
  readonly workflow_key: string
  readonly trigger: string
  readonly parameters: unknown
  readonly event: unknown
  readonly scheduled_for: Date | null
  readonly unit_id: string
  readonly started_at: Date
  /** Of its draft, beside those of the workflow. */
  readonly tags: readonly string[]
  /** How many workers lost the lease before. */
  readonly losses: number
  /** From the first one on, without gaps. */
  readonly steps: readonly RecordedStep[] | null
}

type LeaseKey = Pick<ExecutionLease, 'center_id' | 'id' | 'epoch'>

/** Leases on executions of these workflows that are due; centers take turns, and hold at most `perCenter` of a worker. */
export const executionLeases = (
  cell: Cell,
  keys: readonly string[],
  perCenter: number,
): LeaseStore<ExecutionLease> => ({
  take: (at, until, most, held) =>
    cell.asRunner(async (db) => {
      const byCenter: Record<number, number> = {}
      for (const { center_id } of held) byCenter[center_id] = (byCenter[center_id] ?? 0) + 1
      const { rows } = await sql<ExecutionLease>`
        select * from cell.lease_executions(${keys}, ${at}, ${until}, ${most}, ${perCenter}, ${JSON.stringify(byCenter)})`.execute(
        db,
      )
      return rows
    }),
  renew: (leases, until) =>
    cell.asRunner(async (db) => {
      const named = JSON.stringify(leases.map(({ center_id, id, epoch }) => ({ center_id, id, epoch })))
      const { rows } = await sql<{ execution_id: string }>`
        select execution_id from cell.renew_executions(${named}, ${until})`.execute(db)
      const kept = new Set(rows.map((row) => row.execution_id))
      return leases.filter(({ id }) => kept.has(id))
    }),
  release: ({ center_id, id, epoch }, at) =>
    cell.asRunner(async (db) => {
      await sql`
        update cell.executions set next_at = ${at}, leased = false
        where center_id = ${center_id} and id = ${id} and lease_epoch = ${epoch} and status = 'RUNNING'`.execute(db)
    }),
})

export interface StepRecord extends LeaseKey {
  readonly position: number
  readonly name: string
  readonly status: 'COMPLETED' | 'RETRYING' | 'FAILED'
  readonly attempts: number
  readonly output?: unknown
  readonly error?: string
  readonly started_at: Date
  readonly completed_at?: Date
  /** The time of the next attempt. */
  readonly next_at?: Date
}

const stepsCall = {
  pool: 'runners',
  name: 'record_steps',
  text: 'select recorded from cell.record_steps($1)',
} as const

/** Stores the results of steps of several executions, and returns those whose worker still held the lease. */
export async function recordSteps(cell: Cell, records: string): Promise<readonly string[]> {
  const rows = await cell.call<{ recorded: string }>(stepsCall, [records])
  return rows.map(({ recorded }) => recorded)
}

export async function executionFigures(db: Kysely<never>, at: Date): Promise<ExecutionFigures> {
  const { rows } = await sql<{ running: number; overdue: number | null }>`
    select count(*) as running, extract(epoch from ${at}::timestamptz - min(next_at)) as overdue
    from cell.executions where status = 'RUNNING'`.execute(db)
  const [row] = rows
  return { running: row?.running ?? 0, overdueSeconds: Math.max(0, Number(row?.overdue ?? 0)) }
}

const deletedAtOnce = 500

/** Deletes the steps with the execution. */
export async function deleteEnded(db: Kysely<never>, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cell.executions where (center_id, id) in (
      select center_id, id from cell.executions where completed_at < ${before} order by completed_at limit ${deletedAtOnce})`.execute(
    db,
  )
  return Number(numAffectedRows)
}
