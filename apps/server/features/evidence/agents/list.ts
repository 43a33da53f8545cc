/** The agents of a center: of its newest decisions, of those that wait, and of the sums of the last year. */
import type { listAgents } from '@countersign/contract/console-agents.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import { type AgentRow, countedAgents, recentAgents, waitingAgents } from './queries.ts'

type Listed = PayloadOf<SpecOf<typeof listAgents>, 200>
type Agent = Listed['agents'][number]

const mostRecent = 1000
/** Whoever may record chooses the ids: one answer is bounded, whatever was recorded. */
const mostListed = 500

export async function agentsOf(tx: TenantTx): Promise<Listed> {
  const recent = await recentAgents(tx, mostRecent)
  const waiting = await waitingAgents(tx)
  const counted = await countedAgents(tx, mostListed)
  const newest = new Map(recent.map((row) => [row.id, row]))
  const waits = new Map(waiting.map((row) => [row.id, row.waiting]))
  const rows = new Map<string, AgentRow>([...counted, ...waiting, ...recent].map((row) => [row.id, row]))
  const agents = [...rows.values()].map(({ id, name, type }): Agent => {
    const last = newest.get(id)
    return {
      ...{ id, name: name || null, type: type as Agent['type'], waiting: waits.get(id) ?? 0 },
      lastDecision: last
        ? {
            eventId: typedId('decisionEvent', last.event_id),
            actionType: last.action_type,
            createdAt: last.created_at.toISOString(),
          }
        : null,
    }
  })
  const at = ({ lastDecision }: Agent) => lastDecision?.createdAt ?? ''
  agents.sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : b.waiting - a.waiting || (a.id < b.id ? -1 : 1)))
  return { agents: agents.slice(0, mostListed), leftOut: Math.max(0, agents.length - mostListed) }
}
