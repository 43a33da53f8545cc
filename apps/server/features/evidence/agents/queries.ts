/** Agents as the rows of the center name them. A long id is cut, as the sums have it; people are left out. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

const agent = sql`left(e.actor ->> 'id', 255) as id, left(e.actor ->> 'name', 200) as name, e.actor ->> 'type' as type`
const isAgent = sql`coalesce(e.actor ->> 'type', 'human') <> 'human' and coalesce(e.actor ->> 'id', '') <> ''`

export interface AgentRow {
  readonly id: string
  readonly name: string | null
  readonly type: string
}

export interface RecentAgent extends AgentRow {
  readonly event_id: string
  readonly action_type: string
  readonly created_at: Date
}

/** Each agent's newest decision among so many of the newest of the center. */
export async function recentAgents(tx: TenantTx, most: number): Promise<readonly RecentAgent[]> {
  const { rows } = await sql<RecentAgent>`
    select distinct on (id) ${agent}, e.id as event_id, left(e.action ->> 'type', 255) as action_type, e.created_at
    from (select * from cell.decision_events where center_id = ${tx.caller.centerId} order by seq desc limit ${most}) e
    where ${isAgent} order by 1, e.seq desc`.execute(tx.db)
  return rows
}

export interface WaitingAgent extends AgentRow {
  readonly waiting: number
}

export async function waitingAgents(tx: TenantTx): Promise<readonly WaitingAgent[]> {
  const { rows } = await sql<WaitingAgent>`
    select distinct on (id) ${agent}, (count(*) over (partition by left(e.actor ->> 'id', 255)))::int as waiting
    from cell.waiting_decisions w join cell.decision_events e on e.center_id = w.center_id and e.id = w.event_id
    where w.center_id = ${tx.caller.centerId} and (w.expires_at is null or w.expires_at > now()) and ${isAgent}
    order by 1, w.seq desc`.execute(tx.db)
  return rows
}

/** Those of the sums of the last year, with what a decision of theirs says of them. */
export async function countedAgents(tx: TenantTx, most: number): Promise<readonly AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    select distinct on (id) ${agent}
    from (select key, (array_agg(example order by starts desc))[1] as example from cell.oversight_sums
        where center_id = ${tx.caller.centerId} and step = 'week' and kind = 'agent' and starts > current_date - 364
        group by key having sum(approved + refused + expired + withdrawn) > 0
        order by max(starts) desc, key limit ${most}) s
      join cell.decision_events e on e.center_id = ${tx.caller.centerId} and e.id = s.example
    where ${isAgent} order by 1`.execute(tx.db)
  return rows
}
