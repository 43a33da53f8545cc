import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

export async function unitExists(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql`select from cell.dpus where center_id = ${tx.caller.centerId} and id = ${id}`.execute(
    tx.db,
  )
  return rows.length === 1
}
