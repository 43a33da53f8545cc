import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import type { HistoryRow } from './queries.ts'

export interface BindingRow extends HistoryRow {
  readonly target: string
}

export async function entriesAbout(tx: TenantTx, keyIds: readonly string[]): Promise<readonly BindingRow[]> {
  const { rows } = await sql<{ entry: BindingRow }>`
    select row_to_json(h) as entry from (
      select c.idx, c.content, c.hash, c.previous_hash, c.sealed_at, c.target, x.disclosed, x.salts
      from cell.chain_entries c left join cell.history x on x.center_id = c.center_id and x.idx = c.idx
      where c.center_id = ${tx.caller.centerId} and c.domain = 'history' and c.type = 'passkey'
        and c.target = any (${keyIds.map((id) => typedId('passkey', id))}::text[])
      order by c.idx) h`.execute(tx.db)
  return rows.map(({ entry }) => entry)
}

export async function keysOf(tx: TenantTx, actorIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cell.passkeys where center_id = ${tx.caller.centerId} and actor_id = any (${actorIds}::uuid[])`.execute(
    tx.db,
  )
  return rows.map(({ id }) => id)
}
