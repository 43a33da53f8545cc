import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import type { MemberFacts } from './member-fault.ts'

/** What belongs to entries about these memberships. */
export async function memberFacts(tx: TenantTx, ids: readonly string[]): Promise<(id: string) => MemberFacts> {
  if (ids.length === 0) return () => ({ row: null, newest: null })
  const { centerId } = tx.caller
  const { rows } = await sql<MemberFacts & { id: string }>`
    select i.id, (select row_to_json(e) from cell.eligibilities e where e.center_id = ${centerId} and e.id = i.id) as row,
      (select max(c.idx) from cell.chain_entries c
        where c.center_id = ${centerId} and c.domain = 'history' and c.target = i.target and c.type = 'member') as newest
    from unnest(${ids}::uuid[], ${ids.map((id) => typedId('membership', id))}::text[]) as i (id, target)`.execute(tx.db)
  const facts = new Map(rows.map((each) => [each.id, each]))
  return (id) => facts.get(id) ?? { row: null, newest: null }
}

/** A page of memberships in the order of their ids. */
export async function memberIdsAfter(tx: TenantTx, after: string | null, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cell.eligibilities
    where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`.execute(tx.db)
  return rows.map(({ id }) => id)
}
