/**
 * What to answer about a record that is not there. A database that was set back lacks records that callers were promised: while the
 * fence refuses it, nobody is told that a record does not exist, and after a declaration the answer names the loss.
 */

import { type IdKind, idPrefixes } from '@countersign/contract/ids.ts'
import { LRUCache } from 'lru-cache'
import type { Cells } from '../../data/cells.ts'
import type { ExplainMissing } from '../../http/scope.ts'
import { timeOfUuid, uuidOf } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { whereaboutsOf } from '../../sealing/fence/queries.ts'
import type { LogBook } from '../../sealing/trees.ts'
import { declaredLosses } from './queries.ts'

/** One look serves all callers of a cell for this time. */
const currentMs = 2000

const kinds = Object.keys(idPrefixes) as IdKind[]

/** When the record with this id was made; null for an id of another form. */
function timeOf(id: string): number | null {
  const uuid = kinds.map((kind) => uuidOf(kind, id)).find((found) => found !== null)
  return uuid ? timeOfUuid(uuid) : null
}

export function explainMissing(cells: Pick<Cells, 'of'>, book: Pick<LogBook, 'fenceOf'>): ExplainMissing {
  const current = new LRUCache<string, Promise<void>>({ max: 1000, ttl: currentMs })

  async function requireCurrent(name: string, centerId: number): Promise<void> {
    const fence = book.fenceOf(name)
    if (!fence.knowsDatabases) return
    const [known, where] = await Promise.all([fence.read([]), cells.of(name).inBatch([centerId], whereaboutsOf)])
    // Throws 503 where only an operator can decide whether this database may be used.
    if (!known.is(where)) await fence.settle()
  }

  return async ({ cell, centerId, ids }, found) => {
    const times = ids.flatMap((id) => timeOf(id) ?? [])
    if (times.length === 0) return found
    let looking = current.get(cell)
    if (!looking) {
      looking = requireCurrent(cell, centerId)
      current.set(cell, looking)
    }
    try {
      await looking
    } catch (error) {
      return error instanceof Problem ? error : found
    }
    const losses = await cells.of(cell).inTenantRead(centerId, 'missing-record', declaredLosses)
    const loss = losses.find(({ after, until }) =>
      times.some((time) => time > (after === null ? 0 : Date.parse(after)) && time <= until.getTime()),
    )
    if (!loss) return found
    const { domain, generation, lostFrom, lostTo, until } = loss
    const declaredAt = until.toISOString()
    return new Problem(
      'NOT_FOUND',
      `There's no record with this ID, but it may be one of the records that were declared lost on ${declaredAt.slice(0, 10)}. GET /api/v1/chains/${domain}/generations shows what was lost and why.`,
      { details: { loss: { domain, generation, lostFrom, lostTo, declaredAt } } },
    )
  }
}
