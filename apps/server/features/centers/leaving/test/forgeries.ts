import type { World } from '../../../../../../tests/support/world.ts'

const forged = [
  'cosignatures',
  'log_generations',
  'closed_logs',
  'left_records',
  'center_exports',
  'center_export_files',
]

/** The fixture fills every table, some with rows that no log has signed. A verifier must not see those. */
export async function withoutForgeries({ query }: World): Promise<void> {
  for (const table of forged) {
    await query(`alter table cell.${table} disable trigger all`, [], true)
    await query(`delete from cell.${table}`, [], true)
    await query(`alter table cell.${table} enable trigger all`, [], true)
  }
}
