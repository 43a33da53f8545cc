/**
 * The continuous verifier: scans all chains of a cell with their records, the least recently verified first. It can
 * stop between two pages; the next execution continues with the centers that this one did not reach.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { turns } from '../../../concurrency/turns.ts'
import type { Cells } from '../../../data/cells.ts'
import { centersToVerify } from '../../../integrity/verify-queries.ts'
import { type VerifierNeeds, verifyCenter } from './center.ts'

/** The shortest pause before a transaction. */
const pauseMs = 25
/** Centers that are verified at a time, page by page in turn: a center with a long chain does not stop the others. */
const centersAtOnce = 2

interface VerifyChainsNeeds extends VerifierNeeds {
  readonly cells: Cells
}

export async function verifyChainsJob(needs: VerifyChainsNeeds, cellName: string, stop: AbortSignal): Promise<void> {
  const cell = needs.cells.of(cellName)
  const centers = (await cell.asJobs(centersToVerify)).values()
  const totals = { centers: 0, broken: 0, failed: 0 }
  const pages = turns({ total: 1 })
  let lastMs = 0
  const readPage = async <T>(read: () => Promise<T>): Promise<T> => {
    // As long as the last transaction took, so that the scan uses at most half of the time.
    await sleep(Math.max(pauseMs, lastMs), undefined, { signal: stop })
    const started = performance.now()
    try {
      return await read()
    } finally {
      lastMs = performance.now() - started
    }
  }

  async function verifyNext(): Promise<void> {
    for (const centerId of centers) {
      try {
        const { allValid } = await verifyCenter(
          {
            needs,
            centerId,
            inCenter: (work) =>
              pages.run(String(centerId), () => readPage(() => cell.inTenantJob(centerId, 'verify-chains', work))),
          },
          'records',
        )
        totals.centers++
        if (!allValid) totals.broken++
      } catch (error) {
        if (stop.aborted) return
        // A failure in one center must not stop the others.
        totals.failed++
        needs.log.error({ err: error, centerId, cell: cellName }, 'the chains of a center could not be verified')
      }
    }
  }

  await Promise.all(Array.from({ length: centersAtOnce }, verifyNext))
  if (!stop.aborted) needs.log.info({ cell: cellName, ...totals }, 'verified all chains')
}
