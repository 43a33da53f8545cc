/**
 * Writes what decisions are found by, some seconds behind them: recording and sealing pay nothing for it. Its place is stored
 * in the transaction that writes, so a killed worker continues where it stopped.
 */
import type { Logger } from 'pino'
import { type Loop, loop, loops, type Startable } from '../../../concurrency/loop.ts'
import type { Cell, Cells, TenantTx } from '../../../data/cells.ts'
import {
  centersBehind,
  committedThrough,
  type IndexedRow,
  lockMarks,
  moveMark,
  putWords,
  recordedAfter,
  sealedEnd,
  sealedFrom,
  staleRows,
} from './queries.ts'
import { wordsOf } from './searchable.ts'

const step = 500
const lookEveryMs = 2000
/** Looking for work takes at most this part of the time, however many centers there are. */
const lookShare = 20

const put = (tx: TenantTx, rows: readonly IndexedRow[]) =>
  rows.length === 0
    ? undefined
    : putWords(
        tx,
        rows.map((row) => ({
          seq: row.seq,
          created_at: row.created_at,
          epoch: row.epoch,
          ...wordsOf(tx.caller.centerId as number, row),
        })),
      )

/** One step; false when nothing is left. */
async function indexSome(cell: Cell, centerId: number, through: string): Promise<boolean> {
  return cell.inTenantJob(centerId, 'index-decisions', async (tx) => {
    const marks = await lockMarks(tx)
    const recorded = await recordedAfter(tx, marks.recorded_through, through, step)
    if (recorded.length > 0) {
      await put(tx, recorded)
      await moveMark(tx, 'recorded_through', (recorded.at(-1) as IndexedRow).seq)
      return true
    }
    // Read before the rows: what is appended after it is found by the next step.
    const end = await sealedEnd(tx)
    const sealed = await sealedFrom(tx, marks.sealed_through, step)
    // Recorded and sealed since `through` was read: its place among the recorded comes with the next look.
    await put(tx, sealed)
    const last = sealed.at(-1)
    const next = sealed.length === step && last ? String(BigInt(last.chain_index) + 1n) : end
    if (BigInt(next) > BigInt(marks.sealed_through)) await moveMark(tx, 'sealed_through', next)
    const stale = await staleRows(tx, step)
    await put(tx, stale)
    return sealed.length === step || stale.length === step
  })
}

/** Until nothing that was committed when it began is left. */
export async function indexCenter(cell: Cell, centerId: number, stop?: AbortSignal): Promise<void> {
  const through = await cell.inTenantJob(centerId, 'index-decisions', committedThrough)
  while (!stop?.aborted && (await indexSome(cell, centerId, through))) {}
}

function indexer(cell: Cell, log: Logger): Loop {
  let lookMs = 0
  const turn = async (stop: AbortSignal) => {
    const started = performance.now()
    const centers = await cell.asJobs(centersBehind)
    lookMs = performance.now() - started
    for (const centerId of centers) {
      if (stop.aborted) return
      try {
        await indexCenter(cell, centerId, stop)
      } catch (error) {
        // A failure in one center must not stop the others.
        log.error({ err: error, centerId, cell: cell.name }, 'the decisions of a center could not be made searchable')
      }
    }
  }
  return loop({
    everyMs: () => Math.max(lookEveryMs, lookMs * lookShare),
    turn,
    log,
    failure: 'decisions are not made searchable; the worker tries again',
    fields: { cell: cell.name },
  })
}

export const searchIndexers = (cells: Cells, log: Logger): Startable =>
  loops(cells.worked.map((cell) => indexer(cell, log)))
