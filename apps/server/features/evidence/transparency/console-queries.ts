/** The state of a center's chains for people: heads, verdicts, cosignatures and alarms. */
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

/** The largest checkpoint that each witness has cosigned. */
export async function cosignedSizes(
  tx: TenantTx,
): Promise<readonly { domain: Domain; witness: string; size: number }[]> {
  const { rows } = await sql<{ domain: Domain; witness: string; size: number }>`
    select domain, witness, max(size) as size from cell.cosignatures
    where center_id = ${tx.caller.centerId} group by 1, 2`.execute(tx.db)
  return rows
}

export interface AlarmRow {
  readonly occurred_at: Date
  readonly target_id: string
  readonly details: { readonly action: 'found' | 'cleared'; readonly brokenAt?: number; readonly reason?: string }
}

export async function newestAlarms(tx: TenantTx, most: number): Promise<readonly AlarmRow[]> {
  const { rows } = await sql<AlarmRow>`
    select occurred_at, target_id, details from cell.audit_entries
    where center_id = ${tx.caller.centerId} and type = 'integrity.alarm'
    order by occurred_at desc, id desc limit ${most}`.execute(tx.db)
  return rows
}
