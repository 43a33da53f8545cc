/** Policies in a batch: every policy of the center in its newest version, and those that all centers share. */
import type { PolicyRow } from '../../../governance/rows.ts'
import type { RowKind } from '../../../sealing/sealed-rows.ts'

export const policyRows: RowKind<PolicyRow, Record<string, never>> = {
  name: 'policies',
  order: 50,
  load: 'load_policies',
  write: 'write_policies',
  namesOf: ({ id }) => [id],
}
