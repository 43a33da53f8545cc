import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { uuidOf } from '../../../lib/ids.ts'

/** Versions of policies as they are stored; one that is not stored has no text. */
export async function policyTexts(
  tx: TenantTx,
  named: readonly { readonly id: string; readonly version: number }[],
): Promise<readonly PolicyRow[]> {
  const wanted = named.flatMap(({ id, version }) => {
    const uuid = uuidOf('policy', id)
    return uuid === null ? [] : [{ id: uuid, version }]
  })
  if (wanted.length === 0) return []
  const { rows } = await sql<{ texts: readonly PolicyRow[] }>`
    select cell.pinned_policies(${tx.caller.centerId}, ${JSON.stringify(wanted)}::json) as texts`.execute(tx.db)
  return rows[0]?.texts ?? []
}
