import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { VersionRow } from './action-type.ts'

export type StandingRow = VersionRow & { readonly key: string; readonly deleted: boolean }

/** The newest version of each type, withdrawn ones included. */
export async function newestActionTypes(tx: TenantTx): Promise<readonly StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select key, version, template, digest, deleted, created_at
    from cell.newest_action_types(${[tx.caller.centerId]}::integer[]) order by key`.execute(tx.db)
  return rows
}

/** The newest version of one type, in force or withdrawn. */
export async function findActionType(tx: TenantTx, key: string): Promise<StandingRow | undefined> {
  const { rows } = await sql<StandingRow>`
    select key, version, template, digest, deleted, created_at from cell.action_type_versions
    where center_id = ${tx.caller.centerId} and key = ${key} order by version desc limit 1`.execute(tx.db)
  return rows[0]
}
