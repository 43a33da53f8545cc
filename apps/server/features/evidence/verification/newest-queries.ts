import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import type { EligibilityRow } from '../../identity/eligibility/api.ts'
import type { GroupRow } from '../../identity/groups/api.ts'

/** A row that its newest entry explains, and the index of that entry; both null where there is none. */
export interface NewestFacts<Row> {
  readonly row: Row | null
  readonly newest: number | null
}

interface Kept<Row> {
  readonly kind: 'membership' | 'group'
  readonly type: 'member' | 'group'
  readonly table: RawBuilder<unknown>
  /** Only a type. */
  readonly row?: Row
}

export const keptMembers: Kept<EligibilityRow> = {
  kind: 'membership',
  type: 'member',
  table: sql.table('cell.eligibilities'),
}
export const keptGroups: Kept<GroupRow> = { kind: 'group', type: 'group', table: sql.table('cell.groups') }

/** What belongs to entries about these. */
export async function newestFacts<Row>(
  tx: TenantTx,
  { kind, type, table }: Kept<Row>,
  ids: readonly string[],
): Promise<(id: string) => NewestFacts<Row>> {
  const none = { row: null, newest: null }
  if (ids.length === 0) return () => none
  const { centerId } = tx.caller
  const { rows } = await sql<NewestFacts<Row> & { id: string }>`
    select i.id, (select row_to_json(e) from ${table} e where e.center_id = ${centerId} and e.id = i.id) as row,
      (select max(c.idx) from cell.chain_entries c
        where c.center_id = ${centerId} and c.domain = 'history' and c.target = i.target and c.type = ${type}) as newest
    from unnest(${ids}::uuid[], ${ids.map((id) => typedId(kind, id))}::text[]) as i (id, target)`.execute(tx.db)
  const facts = new Map(rows.map((each) => [each.id, each]))
  return (id) => facts.get(id) ?? none
}

/** A page of them in the order of their ids. */
export const keptIdsAfter =
  <Row>({ table }: Kept<Row>) =>
  async (tx: TenantTx, after: string | null, limit: number): Promise<readonly string[]> => {
    const { rows } = await sql<{ id: string }>`
      select id from ${table}
      where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and id > ${after}`}
      order by id limit ${limit}`.execute(tx.db)
    return rows.map(({ id }) => id)
  }
