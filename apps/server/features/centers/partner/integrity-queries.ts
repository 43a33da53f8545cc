import type { CenterStatus } from '@countersign/contract/enums.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { CentersTx } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'

export const statedCenters = (tx: PartnerTx, most: number) =>
  tx.db
    .selectFrom('centers')
    .select(['id', 'name', 'domain', 'status', 'cell'])
    .where('partner_id', '=', tx.partnerId)
    .orderBy('id', 'desc')
    .limit(most)
    .$narrowType<{ status: CenterStatus }>()
    .execute()

export interface ChainState {
  readonly center_id: number
  readonly entries: number
  readonly broken: readonly { readonly domain: Domain; readonly at: number }[] | null
  readonly verified_at: Date | null
}

export async function chainStates(tx: CentersTx, centerIds: readonly number[]): Promise<readonly ChainState[]> {
  const { rows } = await sql<ChainState>`
    select h.center_id, sum(h.next_index)::float8 as entries,
      json_agg(json_build_object('domain', h.domain, 'at', h.broken_at)) filter (where h.broken_at is not null) as broken,
      (select min(k.verified_at) from cell.chain_checks k where k.center_id = h.center_id and k.mode = 'chain') as verified_at
    from cell.chain_heads h where h.center_id = any (${centerIds}::integer[]) group by h.center_id`.execute(tx.db)
  return rows
}
