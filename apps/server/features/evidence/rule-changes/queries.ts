import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { RuleChangeRow } from './sealed-rows.ts'

/** What a batch would load of these policies. */
export async function knownOf(tx: TenantTx, ids: readonly string[]): Promise<readonly RuleChangeRow[]> {
  const wanted = ids.map((policy_id) => ({ center_id: tx.caller.centerId, policy_id }))
  const { rows } = await sql<{ rows: readonly RuleChangeRow[] | null }>`
    select cell.load_rule_changes(${JSON.stringify(wanted)}::json, 0) as rows`.execute(tx.db)
  return rows[0]?.rows ?? []
}

/** Who made a key. */
export const makerOfKey = (tx: DirectoryTx, keyId: string) =>
  tx.db
    .selectFrom('api_keys')
    .leftJoin('actors', 'actors.id', 'api_keys.created_by')
    .select(['api_keys.name as keyName', 'api_keys.created_by as actorId', 'actors.name'])
    .where('api_keys.center_id', '=', tx.caller.centerId)
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst()
