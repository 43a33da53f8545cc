/** Workflow executions that end in a batch. A row is found only while the lease has the epoch that the item names. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'

interface EndingExecutionRow {
  readonly center_id: number
  readonly id: string
  readonly completed_at?: string
}

export const executionRows: RowKind<EndingExecutionRow, { readonly id: string; readonly epoch: number }> = {
  name: 'executions',
  order: 10,
  load: 'hold_executions',
  write: 'write_executions',
  namesOf: ({ id }) => [id],
}
