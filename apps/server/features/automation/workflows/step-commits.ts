/**
 * Group commit of the outputs of steps. Two batches are in flight per cell; outputs that arrive meanwhile form the next
 * batch. There is no timer: an idle system commits one output at once, a busy one commits hundreds together.
 */
import type { Cell } from '../../../data/cells.ts'
import { isAboutData } from '../../../data/transaction.ts'
import { recordSteps, type StepRecord } from './runner-queries.ts'

const maxBatch = 256
/** Two, so that one batch is gathered and answered while the other commits. */
const maxInFlight = 2

/** False where the worker has lost the lease: then nothing was written, and the worker must stop. */
export type Recording = (record: StepRecord) => Promise<boolean>

interface WaitingStep {
  readonly record: StepRecord
  resolve(recorded: boolean): void
  reject(error: unknown): void
}

export function recording(cell: Cell): Recording {
  const waiting: WaitingStep[] = []
  let inFlight = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) await commit(cell, waiting.splice(0, maxBatch))
    inFlight--
  }

  return (record) =>
    new Promise((resolve, reject) => {
      waiting.push({ record, resolve, reject })
      if (inFlight >= maxInFlight) return
      inFlight++
      // Begun after this turn of the loop, so that steps that end in the same turn share the first batch too.
      setImmediate(() => void drain())
    })
}

async function commit(cell: Cell, batch: readonly WaitingStep[]): Promise<void> {
  try {
    const records = batch.map(({ record }) => record)
    const recorded = new Set(await recordSteps(cell, records))
    for (const { record, resolve } of batch) resolve(recorded.has(record.id))
  } catch (error) {
    if (batch.length > 1 && isAboutData(error)) {
      // One of them cannot be stored. Each is committed alone, so that only that one fails.
      for (const each of batch) await commit(cell, [each])
      return
    }
    for (const { reject } of batch) reject(error)
  }
}
