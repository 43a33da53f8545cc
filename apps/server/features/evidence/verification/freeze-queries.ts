import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import type { FreezeFacts } from './freeze-fault.ts'

/** What belongs to entries about these stops. */
export async function freezeFacts(tx: TenantTx, ids: readonly string[]): Promise<(id: string) => FreezeFacts> {
  if (ids.length === 0) return () => ({ row: null, newest: null })
  const { centerId } = tx.caller
  const { rows } = await sql<FreezeFacts & { id: string }>`
    select i.id, (select row_to_json(f) from cell.freezes f where f.center_id = ${centerId} and f.id = i.id) as row,
      (select max(c.idx) from cell.chain_entries c
        where c.center_id = ${centerId} and c.domain = 'history' and c.target = i.target and c.type = 'freeze') as newest
    from unnest(${ids}::uuid[], ${ids.map((id) => typedId('freeze', id))}::text[]) as i (id, target)`.execute(tx.db)
  const facts = new Map(rows.map((each) => [each.id, each]))
  return (id) => facts.get(id) ?? { row: null, newest: null }
}

/** A page of stops in the order of their ids. */
export async function freezeIdsAfter(tx: TenantTx, after: string | null, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cell.freezes
    where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`.execute(tx.db)
  return rows.map(({ id }) => id)
}
