/** The integrity of all centers of a partner, read from each cell in one statement. */
import type { Cells } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import { type ChainState, chainStates, statedCenters } from './integrity-queries.ts'

const maxCenters = 1000

export async function readIntegrity(cells: Cells, tx: PartnerTx) {
  const centers = await statedCenters(tx, maxCenters)
  const found = new Map<number, ChainState | null>()
  const homes = Map.groupBy(centers, ({ cell }) => cell)
  const asked = [...homes].map(async ([cell, residents]) => {
    const ids = residents.map(({ id }) => id)
    const states = await cells.of(cell).asCenters(tx.caller, ids, (own) => chainStates(own, ids))
    for (const id of ids) found.set(id, null)
    for (const state of states) found.set(state.center_id, state)
  })
  // A cell that is away leaves its centers unreachable, and hides no other.
  await Promise.allSettled(asked)
  return centers
    .map(({ id, name, domain, status }) => {
      const state = found.get(id)
      return {
        centerId: id,
        name,
        domain,
        status,
        entries: state?.entries ?? 0,
        broken: (state?.broken ?? []).map(({ domain: chain, at }) => ({ domain: chain, brokenAt: Math.max(0, at) })),
        verifiedAt: state?.verified_at?.toISOString() ?? null,
        reachable: state !== undefined,
      }
    })
    .sort((a, b) => b.broken.length - a.broken.length || Number(a.reachable) - Number(b.reachable))
}
