/** Verifies the chains of a center on request. Only the verifier runs, so that the memory of a server does not hide its own. */
import { readFileSync } from 'node:fs'
import { readConfig } from '@countersign/server/config/config.ts'
import { openCells } from '@countersign/server/data/cells.ts'
import { verifyCenter } from '@countersign/server/features/evidence/verification/center.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { makeMetrics } from '@countersign/server/lib/metrics.ts'
import { openLogBook } from '@countersign/server/sealing/log-book.ts'

const config = readConfig()
const log = makeLog(config)
const cells = openCells(config, log)
const cell = cells.of('main')
const services = {
  config,
  log,
  logBook: openLogBook(config, cells, log),
  metrics: makeMetrics({
    clockSkewMs: () => null,
    durabilityFaults: () => new Map(),
    logKey: () => ({ vkey: '', refuses: false }),
    cellsUp: async () => new Map(),
    scanned: () => new Map(),
    lockedChains: () => new Map(),
    ...{ version: 'bench', redisUp: () => null, pools: () => [], fences: () => [] },
  }),
}

export interface Verified {
  readonly ms: number
  readonly valid: boolean
  readonly entries: number
  readonly brokenAt: number | null
  /** The memory of the process before its first verification. */
  readonly idleMegabytes: number
  /** The peak memory of the process. */
  readonly peakMegabytes: number
}

export interface Verification {
  readonly centerId: number
  readonly mode: 'chain' | 'records'
}

const megabytes = (value: 'VmRSS' | 'VmHWM'): number =>
  Math.round(Number(new RegExp(`${value}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024)
let idleMegabytes: number | undefined

process.on('message', async ({ centerId, mode }: Verification) => {
  idleMegabytes ??= megabytes('VmRSS')
  const caller = { requestId: 'bench', actorId: null, centerId }
  const started = performance.now()
  const { allValid, domains } = await verifyCenter(
    { needs: services, centerId, inCenter: (work) => cell.inTenant(caller, work) },
    mode,
  )
  const ms = performance.now() - started
  const verified: Verified = {
    ms,
    valid: allValid,
    entries: domains.proof.chainLength,
    brokenAt: domains.proof.brokenAt,
    idleMegabytes,
    peakMegabytes: megabytes('VmHWM'),
  }
  process.send?.(verified)
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
