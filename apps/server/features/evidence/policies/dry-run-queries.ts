import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { EventRow } from '../../../governance/rows.ts'

export type JudgedDecision = Pick<
  EventRow,
  'id' | 'type' | 'actor' | 'action' | 'ai_context' | 'tags' | 'risk_score' | 'reason' | 'occurred_at' | 'created_at'
>

const most = 1000
const maxBytes = 16 * 1024 * 1024

/** The newest, as many as fit. The length of a value is read without the value. */
export async function lastDecisions(tx: TenantTx): Promise<readonly JudgedDecision[]> {
  const { rows } = await sql<{ event: JudgedDecision }>`
    select json_build_object('id', d.id, 'type', d.type, 'actor', d.actor, 'action', d.action, 'ai_context', d.ai_context,
      'tags', d.tags, 'risk_score', d.risk_score, 'reason', d.reason, 'occurred_at', d.occurred_at,
      'created_at', d.created_at) as event
    from (
      select seq, sum(octet_length(action::text)) over (order by seq desc rows unbounded preceding) as bytes from (
        select seq, action from cell.decision_events where center_id = ${tx.caller.centerId} order by seq desc limit ${most}) n) s
    join cell.decision_events d on d.center_id = ${tx.caller.centerId} and d.seq = s.seq
    where s.bytes < ${maxBytes} order by d.seq desc`.execute(tx.db)
  return rows.map(({ event }) => event)
}
