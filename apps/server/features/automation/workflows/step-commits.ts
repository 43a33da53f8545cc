/** Group commit of the outputs of steps. */

import { groupCommit } from '../../../concurrency/group-commit.ts'
import type { Cell } from '../../../data/cells.ts'
import { classifyFailure } from '../../../data/transaction.ts'
import { recordSteps, type StepRecord } from './runner-queries.ts'

/** Two, so that one batch is gathered and answered while the other commits. */
const limits = { inFlight: { small: 2, large: 1, waiting: 1, alone: 1 } }

/** False where the worker has lost the lease: then nothing was written, and the worker must stop. */
export type Recording = (record: StepRecord) => Promise<boolean>

export function recording(cell: Cell): Recording {
  const steps = groupCommit<{ readonly id: string; readonly row: string }, boolean>({
    what: 'steps to record',
    ordered: false,
    limits,
    classify: classifyFailure,
    async commit(batch) {
      const recorded = new Set(await recordSteps(cell, `[${batch.map(({ input }) => input.row).join(',')}]`))
      for (const { input, resolve } of batch) resolve(recorded.has(input.id))
      return {}
    },
  })
  return (record) => {
    const row = JSON.stringify(record)
    return steps.submit(record.center_id, row.length, { id: record.id, row })
  }
}
