/**
 * The continuous verifier: scans all chains of a cell with their records, the least recently verified first. It can
 * stop between two pages; the next execution continues with the centers that this one did not reach.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cells } from '../../../data/cells.ts'
import type { InCenter } from '../../../integrity/scan.ts'
import { centersToVerify } from '../../../integrity/verify-queries.ts'
import { type VerifierNeeds, verifyCenter } from './center.ts'

/** Waits before every transaction, so that the scan uses at most half of the time. */
const pauseMs = 25

interface VerifyChainsNeeds extends VerifierNeeds {
  readonly cells: Cells
}

export async function verifyChainsJob(needs: VerifyChainsNeeds, cellName: string, stop: AbortSignal): Promise<void> {
  const cell = needs.cells.of(cellName)
  const centers = await cell.asJobs(centersToVerify)
  const totals = { centers: 0, broken: 0, failed: 0 }
  for (const centerId of centers) {
    const inCenter: InCenter = async (work) => {
      await sleep(pauseMs, undefined, { signal: stop })
      return cell.inTenantJob(centerId, 'verify-chains', work)
    }
    try {
      const { allValid } = await verifyCenter({ needs, centerId, inCenter }, 'records')
      totals.centers++
      if (!allValid) totals.broken++
    } catch (error) {
      if (stop.aborted) return
      // A failure in one center must not stop the others.
      totals.failed++
      needs.log.error({ err: error, centerId, cell: cellName }, 'the chains of a center could not be verified')
    }
  }
  needs.log.info({ cell: cellName, ...totals }, 'verified all chains')
}
