/** Verifies the chains of a center on request. Only the verifier runs, so that the memory of a server does not hide its own. */
import { readFileSync } from 'node:fs'
import { readConfig } from '@countersign/server/config.ts'
import { openCells } from '@countersign/server/data/cells.ts'
import { verifyCenter } from '@countersign/server/features/evidence/verification/center.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { makeMetrics } from '@countersign/server/lib/metrics.ts'
import { openLogBook } from '@countersign/server/sealing/log-book.ts'

const config = readConfig()
const log = makeLog(config)
const cell = openCells(config, log).of('main')
const services = {
  config,
  log,
  logBook: openLogBook(config, log),
  metrics: makeMetrics({
    brokenChains: async () => new Map(),
    webhooks: async () => new Map(),
    executions: async () => new Map(),
  }),
}

export interface Verified {
  readonly ms: number
  readonly valid: boolean
  readonly entries: number
  /** The peak memory of the process. */
  readonly peakMegabytes: number
}

process.on('message', async (centerId: number) => {
  const caller = { requestId: 'bench', actorId: null, centerId }
  const started = performance.now()
  const { allValid, domains } = await verifyCenter(
    { needs: services, centerId, inCenter: (work) => cell.inTenant(caller, work) },
    'chain',
  )
  const ms = performance.now() - started
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  const verified: Verified = {
    ms,
    valid: allValid,
    entries: domains.proof.chainLength,
    peakMegabytes: Math.round(Number(peak) / 1024),
  }
  process.send?.(verified)
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
