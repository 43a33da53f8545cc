/** Workflow executions that end in a batch. A row is found only while the execution is running. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'
import type { StepRecord } from './runner-queries.ts'

export type EndStatus = 'COMPLETED' | 'FAILED' | 'CANCELED'

interface EndingExecutionRow {
  readonly center_id: number
  readonly id: string
  /** Of the lease: a worker with another one has lost it. */
  readonly epoch: number
  readonly status?: EndStatus
  readonly completed_at?: string
  readonly failure?: string | null
  /** The step that failed, if one did. */
  readonly step?: StepRecord | null
}

export const executionRows: RowKind<EndingExecutionRow, { readonly id: string }> = {
  name: 'executions',
  order: 10,
  load: 'hold_executions',
  write: 'write_executions',
  namesOf: ({ id }) => [id],
}
