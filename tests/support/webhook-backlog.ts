/** Inserts thousands of deliveries into a cell. */
import { nowMs } from '@countersign/server/lib/clock.ts'
import { newUuid, uuidOf } from '@countersign/server/lib/ids.ts'
import type { World } from './world.ts'

/** Inserts events of the same moment for one webhook, as publishing them one by one would; returns their ids in order. */
export async function backlog(
  world: World,
  centerId: number,
  webhookId: string,
  { count, held = false, secondsAgo = 0 }: { count: number; held?: boolean; secondsAgo?: number },
): Promise<string[]> {
  const at = new Date(nowMs() - secondsAgo * 1000)
  const ids = Array.from({ length: count }, () => newUuid(at.getTime())).sort()
  await world.query(
    `insert into cell.webhook_events (center_id, created_at, id, type, data)
     select $1, $2, i, 'payment.completed', '{"paymentId":"pay-1","amount":45000}' from unnest($3::uuid[]) i`,
    [centerId, at, ids],
  )
  await world.query(
    `insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at, held)
     select $1, $2, i, 'payment.completed', $3::timestamptz, case when not $4 then $3::timestamptz end, $4
     from unnest($5::uuid[]) i`,
    [centerId, uuidOf('webhook', webhookId), at, held, ids],
  )
  return ids
}
