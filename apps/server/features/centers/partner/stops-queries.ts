import { sql } from 'kysely'
import type { CentersTx } from '../../../data/cells.ts'
import type { ShownFreeze } from '../../evidence/freezes/api.ts'

/** `center_id` is null for a stop of the operator for all centers, which has a row in each of them as well. */
export type StopRow = ShownFreeze & { readonly center_id: number | null }

interface Bounds {
  readonly inForce: number
  readonly lifted: number
}

export async function stopsOf(
  tx: CentersTx,
  centerIds: readonly number[],
  { inForce, lifted }: Bounds,
): Promise<readonly StopRow[]> {
  const { rows } = await sql<{ row: StopRow }>`
    with own as (
      select f.* from cell.freezes f where f.center_id = any (${centerIds}::integer[])
        and not exists (select from cell.shared_freezes s where s.id = f.id)
    ), shared as (
      select json_build_object('center_id', null, 'id', id, 'covers', covers, 'reason', reason, 'rank', 'operator',
        'made_by', made_by, 'made_at', made_at, 'made_index', null, 'lifted_by', lifted_by, 'lifted_at', lifted_at,
        'lift_reason', lift_reason) as row, lifted_at
      from cell.shared_freezes
    )
    select row from shared where lifted_at is null
    union all (select row_to_json(own) from own where lifted_at is null order by made_at desc limit ${inForce})
    union all (select row from shared where lifted_at is not null order by lifted_at desc limit ${lifted})
    union all (select row_to_json(own) from own where lifted_at is not null order by lifted_at desc limit ${lifted})`.execute(
    tx.db,
  )
  return rows.map(({ row }) => row)
}
