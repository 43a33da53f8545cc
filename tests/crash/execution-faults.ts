/** Compares what executors ran and were told with the database. */
import { typedId, uuidOf } from '@countersign/server/lib/ids.ts'
import type { World } from '../support/world.ts'
import type { Decision, Ledger } from './executor.ts'
import { type Fixture, readChain } from './ledger.ts'

interface StoredExecution {
  readonly event_id: string
  readonly executor: string
  readonly consumed_index: number
  readonly outcome_index: number | null
  readonly later_index: number | null
  readonly status: string | null
}

export async function executionFaults(
  world: World,
  fixtures: readonly Fixture[],
  decisions: readonly Decision[],
  ledger: Ledger,
): Promise<string[]> {
  const faults: string[] = []
  for (const { center } of fixtures) {
    const { entries, faults: broken } = await readChain(world, center, 'history')
    const stored = await world.query<StoredExecution>(
      `select event_id, executor, consumed_index::int, outcome_index::int, later_index::int,
         coalesce(later_status, outcome_status) as status
       from cell.decision_executions where center_id = $1`,
      [center.id],
    )
    faults.push(...broken, ...(await readChain(world, center, 'proof')).faults, ...stepFaults(entries, stored))
    const own = decisions.filter(({ fixture }) => fixture.center.id === center.id)
    const hashOf = (index: number | null | undefined) => entries.find(({ idx }) => idx === index)?.hash
    for (const decision of own) {
      const row = stored.find(({ event_id }) => event_id === uuidOf('decisionEvent', decision.id))
      const steps = row ? [hashOf(row.outcome_index), hashOf(row.later_index)] : []
      const about = ({ decision: { id } }: { decision: Decision }) => id === decision.id
      const runs = ledger.runs.filter((id) => id === decision.id).length
      if (runs > 1) faults.push(`${decision.id} ran ${runs} times`)
      if (!row) faults.push(`${decision.id} was approved, and nobody could consume it`)
      // Whoever looked at the ledger has reported what it says.
      else if (row.status !== (runs === 1 ? 'succeeded' : 'failed'))
        faults.push(`${decision.id} ran ${runs} times, and its outcome is ${row.status}`)
      for (const { executor, hash } of ledger.consumed.filter(about)) {
        if (executor !== row?.executor || hash !== hashOf(row.consumed_index))
          faults.push(`the acknowledged consumption of ${decision.id} by ${executor} is gone`)
      }
      for (const { status, hash } of ledger.reported.filter(about)) {
        if (!steps.includes(hash)) faults.push(`the acknowledged outcome ${status} of ${decision.id} is gone`)
      }
    }
  }
  return faults
}

/** Every entry about an execution has its step, and every step its entry. */
function stepFaults(
  entries: readonly { readonly idx: number; readonly content: string }[],
  stored: readonly StoredExecution[],
): string[] {
  const steps = stored.flatMap(({ event_id, consumed_index, outcome_index, later_index }) =>
    [consumed_index, outcome_index, later_index]
      .filter((index) => index !== null)
      .map((index) => `${index} ${typedId('evidence', event_id)}`),
  )
  const sealed = entries.flatMap(({ idx, content }) => {
    const { type, target } = JSON.parse(content) as { type: string; target: string }
    return type === 'execution' ? [`${idx} ${target}`] : []
  })
  const [missing] = sealed.filter((step) => !steps.includes(step))
  const [stray] = steps.filter((step) => !sealed.includes(step))
  return [
    ...(missing ? [`the entry ${missing} has no step`] : []),
    ...(stray ? [`the step ${stray} has no entry`] : []),
    ...(new Set(steps).size === steps.length ? [] : ['two steps name one entry']),
  ]
}
