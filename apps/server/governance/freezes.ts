/** Stops: nothing that one covers is decided, approved or taken while it is in force. Pure. */
import { covers, type Stoppable } from '@countersign/proof/stops.ts'
import { typedId } from '../lib/ids.ts'
import { Problem } from '../lib/problem.ts'
import type { Batch } from '../sealing/batch.ts'
import { type FreezeRule, requireFreezesEntered, ruleRows } from './rules.ts'

export const freezesIn = (batch: Batch): readonly FreezeRule[] =>
  batch
    .rows(ruleRows)
    .all()
    .filter((row) => row.sort === 'freeze' && row.lifted_at === undefined) as readonly FreezeRule[]

/**
 * The batch holds a chain that every stop of its center holds too, so from the commit of a stop on no batch misses it. The
 * answer may change with the lifting: it is not kept for a repeated request.
 */
export function requireNotFrozen(batch: Batch, about: Stoppable): void {
  requireFreezesEntered(batch)
  const found = freezesIn(batch).find((freeze) => covers(freeze.covers, about))
  if (!found) return
  throw new Problem(
    'CONFLICT',
    "This is stopped, so it can't be requested, approved or run for now. Ask an administrator of the center about it, and try again when the stop is lifted.",
    { details: { reason: 'frozen', freezeId: typedId('freeze', found.id) }, passing: true },
  )
}
