/** What a stop covers: what waits, what has started, and what was consumed before and after its entry. */
import type { getFreezeCoverage } from '@countersign/contract/freezes.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import { covers } from '@countersign/proof/stops.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { FreezeRule } from '../../../governance/rules.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { consumedDecisions, executionsAround, runningDecisions, sealedAt, waitingDecisions } from './queries.ts'

type Covers = FreezeRule['covers']
type Runs = PayloadOf<SpecOf<typeof getFreezeCoverage>, 200>['runs']

const maxRunning = 100
const maxRead = 1000
const maxAround = 3000
const minutes = 15
const minute = 60_000

/** What the stop came too late for. */
export async function runningUnder(tx: TenantTx, covered: Covers) {
  return (await runningDecisions(tx, maxRead))
    .filter(({ actor_id, action_type, recorded_by, consumed_by }) =>
      covers(covered, { actorId: actor_id, actionType: action_type, keyIds: [recorded_by, consumed_by] }),
    )
    .slice(0, maxRunning)
    .map(({ event_id, action_type, executor, consumed_at }) => ({
      eventId: typedId('decisionEvent', event_id),
      actionType: action_type,
      executor,
      consumedAt: consumed_at.toISOString(),
    }))
}

export const waitingUnder = async (tx: TenantTx, covered: Covers): Promise<string[]> =>
  (await waitingDecisions(tx, maxRead))
    .filter(({ actor_id, action_type, recorded_by }) =>
      covers(covered, { actorId: actor_id, actionType: action_type, keyIds: [recorded_by] }),
    )
    .map(({ event_id }) => typedId('decisionEvent', event_id))

/** By the place in the history: that is what is proved of a stop. */
export async function runsAround(tx: TenantTx, covered: Covers, index: number | undefined): Promise<Runs> {
  const at = index === undefined ? null : await sealedAt(tx, index)
  if (index === undefined || at === null) return null
  const { entries, last } = await executionsAround(tx, index, maxAround)
  const ids = [...new Set(entries.flatMap(({ target }) => recordUuid(target) ?? []))]
  const consumed = (await consumedDecisions(tx, ids)).filter(({ actor_id, action_type, recorded_by, consumed_by }) =>
    covers(covered, { actorId: actor_id, actionType: action_type, keyIds: [recorded_by, consumed_by] }),
  )
  const before = consumed.filter(({ consumed_index }) => Number(consumed_index) < index)
  const counts = Array.from({ length: minutes }, () => 0)
  for (const { consumed_at } of before) {
    const place = minutes - 1 - Math.floor((at - consumed_at.getTime()) / minute)
    if (place >= 0 && place < minutes) counts[place] = (counts[place] as number) + 1
  }
  return { minutes: counts, later: last > index + maxAround ? null : consumed.length - before.length }
}
