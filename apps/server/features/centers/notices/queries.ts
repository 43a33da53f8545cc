import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

const mostWebhooks = 20

interface ChainRow {
  readonly domain: Domain
  readonly generation: number
  readonly is_broken: boolean
}

export async function chainStates(tx: TenantTx): Promise<readonly ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select domain, generation, broken_at is not null as is_broken from cell.chain_heads
    where center_id = ${tx.caller.centerId} order by domain`.execute(tx.db)
  return rows
}

interface WebhookRow {
  readonly id: string
  readonly is_disabled: boolean
  readonly failing_since: Date | null
}

/** Turned off by the server, or failing since before. One that a person turned off is as they want it. */
export async function failingWebhooks(tx: TenantTx, before: Date): Promise<readonly WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select w.id, w.disabled_reason is not null as is_disabled, e.failing_since
    from cell.webhooks w join cell.webhook_endpoints e on e.center_id = w.center_id and e.webhook_id = w.id
    where w.center_id = ${tx.caller.centerId} and w.deleted_at is null
      and (w.disabled_reason is not null or w.active and e.failing_since <= ${before})
    order by w.id limit ${mostWebhooks}`.execute(tx.db)
  return rows
}
