/**
 * The continuous verifier. An execution first verifies what was appended since the last one, in every center that has
 * grown. Then it verifies whole centers with all their records, the least recently verified first, for half an hour: the
 * next execution continues with those that it did not reach. It can stop between two pages.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { turns } from '../../../concurrency/turns.ts'
import type { Cells } from '../../../data/cells.ts'
import { centersToVerify, grownCenters } from '../../../integrity/verify-queries.ts'
import { type VerifierNeeds, type Verifying, verifyCenter } from './center.ts'
import { verifyGrowth } from './growth.ts'

/** The shortest pause before a transaction. */
const pauseMs = 25
/** Centers that are verified at a time, page by page in turn: a center with a long chain does not stop the others. */
const centersAtOnce = 2
/** No full verification begins later in an execution, so that growth is verified every hour, however much there is. */
const fullVerificationMs = 30 * 60_000

interface VerifyChainsNeeds extends VerifierNeeds {
  readonly cells: Cells
}

export async function verifyChainsJob(needs: VerifyChainsNeeds, cellName: string, stop: AbortSignal): Promise<void> {
  const cell = needs.cells.of(cellName)
  const totals = { grown: 0, centers: 0, broken: 0, failed: 0, left: 0 }
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
  const verifyingOf = (centerId: number): Verifying => ({
    needs,
    centerId,
    inCenter: (work) =>
      pages.run(String(centerId), () => readPage(() => cell.inTenantJob(centerId, 'verify-chains', work))),
  })

  async function verifyEach(ids: readonly number[], verify: (centerId: number) => Promise<void>): Promise<void> {
    const centers = ids.values()
    const verifyNext = async () => {
      for (const centerId of centers) {
        try {
          await verify(centerId)
        } catch (error) {
          if (stop.aborted) return
          // A failure in one center must not stop the others.
          totals.failed++
          needs.log.error({ err: error, centerId, cell: cellName }, 'the chains of a center could not be verified')
        }
      }
    }
    await Promise.all(Array.from({ length: centersAtOnce }, verifyNext))
  }

  await verifyEach(await cell.asJobs(grownCenters), async (centerId) => {
    const verdict = await verifyGrowth(verifyingOf(centerId))
    if (verdict === 'full') return
    totals.grown++
    if (verdict === 'broken') totals.broken++
  })
  const end = performance.now() + fullVerificationMs
  await verifyEach(await cell.asJobs(centersToVerify), async (centerId) => {
    if (performance.now() > end) return void totals.left++
    const { allValid } = await verifyCenter(verifyingOf(centerId), 'records')
    totals.centers++
    if (!allValid) totals.broken++
  })
  if (!stop.aborted) needs.log.info({ cell: cellName, ...totals }, 'verified chains')
}
