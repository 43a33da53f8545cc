/** Executions of decisions in a batch. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'

/** The columns, with what the entries of its steps add for a repeated request. */
export interface ExecutionRow {
  readonly center_id: number
  readonly event_id: string
  readonly executor: string
  /** The API key. */
  readonly consumed_by: string
  readonly consumed_at: string
  readonly consumed_index: number
  readonly consumed_hash: string | null
  readonly outcome_status: string | null
  readonly outcome_executor: string | null
  readonly outcome_by: string | null
  readonly outcome_at: string | null
  readonly outcome_index: number | null
  readonly outcome_hash: string | null
  /** Null without an output. */
  readonly outcome_commitment: string | null
  /** Null without an output, and after its redaction. */
  readonly outcome_salt: string | null
  readonly later_status: string | null
  readonly later_executor: string | null
  readonly later_by: string | null
  readonly later_at: string | null
  readonly later_index: number | null
  readonly later_hash: string | null
  readonly later_commitment: string | null
  readonly later_salt: string | null
}

/** Written after the units: each then names the newest entry about it. */
export const executionRows: RowKind<ExecutionRow, { readonly event_id: string }> = {
  name: 'decisionExecutions',
  order: 47,
  load: 'load_decision_executions',
  write: 'write_decision_executions',
  namesOf: ({ event_id }) => [event_id],
}
