/** Looks for endpoints that have work and nobody at it, and runs a pump for each. Every worker does, of every cell. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { semaphore } from '../../../concurrency/semaphore.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { now, secondsFromNow } from '../../../lib/clock.ts'
import type { Metrics } from '../../../lib/metrics.ts'
import type { Outbound } from '../../../lib/outbound-http.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { leaseSeconds, pump } from './pump.ts'
import { giveBack, type Lease, leaseEndpoints } from './pump-queries.ts'

/** A dead endpoint holds a pump for as long as one attempt takes; there must be enough for all the others. */
const mostPumps = 1000
const mostInFlight = 1000
/** How long an event waits at most before somebody looks; looking takes a fraction of it. */
const lookEveryMs = 150

export interface Pumps {
  start(): void
  stop(): Promise<void>
}

export interface PumpsOptions {
  readonly cells: Cells
  readonly outbound: Outbound
  readonly box: SecretBox
  readonly delays: readonly number[]
  readonly metrics: Metrics
  readonly log: Logger
}

export function pumps({ cells, outbound, box, delays, metrics, log }: PumpsOptions): Pumps {
  const stopping = new AbortController()
  const inFlight = semaphore(mostInFlight)
  const looking: Promise<void>[] = []

  async function look(cell: Cell): Promise<void> {
    const running = new Set<Promise<void>>()
    const begin = (lease: Lease) => {
      if (lease.taken_over) metrics.webhookTakeover()
      const tools = { cell, outbound, box, delays, inFlight, stop: stopping.signal }
      const run = pump({ ...tools, attempted: metrics.webhookAttempt, fenced: metrics.webhookTakeover }, lease)
        .catch(async (error: unknown) => {
          log.error({ err: error, cell: cell.name, webhookId: lease.webhook_id }, 'a pump failed; another will try')
          await cell.asJobs((db) => giveBack(db, lease, secondsFromNow(1)))
        })
        .catch((error: unknown) => log.warn({ err: error, cell: cell.name }, 'a lease was not given back; it expires'))
        .finally(() => running.delete(run))
      running.add(run)
    }
    while (!stopping.signal.aborted) {
      const room = mostPumps - running.size
      const leases = await cell
        .asJobs((db) => leaseEndpoints(db, now(), secondsFromNow(leaseSeconds), room))
        .catch((error: unknown) => {
          log.warn({ err: error, cell: cell.name }, 'could not look for deliveries; will look again')
          return []
        })
      leases.forEach(begin)
      await sleep(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(running)
  }

  return {
    start: () => void looking.push(...cells.all.map(look)),
    async stop() {
      stopping.abort()
      await Promise.all(looking)
    },
  }
}
