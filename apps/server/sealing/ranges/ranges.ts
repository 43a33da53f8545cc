/**
 * The turns of processes at ranges of centers. A batch seals only for ranges that its process has; items of others wait until the
 * turn of the other process is over. So two processes don't lock the same heads at the same time, and each keeps whole batches.
 * The locks of the heads, not the ranges, are what keeps a chain from forking.
 */
import type { BatchTx, Cell } from '../../data/cells.ts'
import { statement } from '../../data/prepared.ts'
import { newUuid } from '../../lib/ids.ts'

const rangeCount = 64
/** Several batches, so that taking a range costs little beside them, and short beside what a person notices. */
const usualTurnMs = 100

export const rangeOf = (centerId: number): number => centerId % rangeCount

interface Foreign {
  readonly range: number
  /** Until it may be taken. */
  readonly ms: number
}

/** Milliseconds to wait, by range, for those of the wanted ranges that another process has. */
export type Waits = ReadonlyMap<number, number>

export interface Ranges {
  /** Takes what it can. `isNew`: another process may still hold heads of a range that was taken. */
  take(centers: readonly number[]): Promise<{ readonly waits: Waits; readonly isNew: boolean }>
  /** What was lost since, as the batch sees it. */
  lost(tx: BatchTx, centers: readonly number[]): Promise<Waits>
}

const takeRanges = statement<{ readonly rows: readonly Foreign[] | null }>(
  'select cell.take_ranges($1, $2, make_interval(secs => $3)) as rows',
)
const foreignRanges = statement<{ readonly rows: readonly Foreign[] | null }>(
  'select cell.foreign_ranges($1, $2, make_interval(secs => $3)) as rows',
)

export function chainRanges(cell: Cell, turnMs: number = usualTurnMs): Ranges {
  const me = newUuid()
  const own = new Set<number>()
  const rangesOf = (centers: readonly number[]) => [...new Set(centers.map(rangeOf))]
  const ask = async (run: typeof takeRanges, tx: BatchTx, wanted: readonly number[]): Promise<Waits> => {
    const [row] = await run(tx, me, wanted, turnMs / 1000)
    const waits = new Map((row?.rows ?? []).map(({ range, ms }) => [range, ms]))
    for (const range of wanted) {
      if (waits.has(range)) own.delete(range)
      else own.add(range)
    }
    return waits
  }
  return {
    async take(centers) {
      const wanted = rangesOf(centers).filter((range) => !own.has(range))
      if (wanted.length === 0) return { waits: new Map(), isNew: false }
      const waits = await cell.inBatch([], (tx) => ask(takeRanges, tx, wanted))
      return { waits, isNew: waits.size < wanted.length }
    },
    lost: (tx, centers) => ask(foreignRanges, tx, rangesOf(centers)),
  }
}
