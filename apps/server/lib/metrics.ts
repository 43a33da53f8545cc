/** Metrics for operators, on a separate port: `/metrics` is not public. */
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type ResourceMetrics, type ResourceSources, resourceMetrics } from './metrics-resources.ts'
import { type CellFigures, scannedMetrics } from './metrics-scanned.ts'
import type { MetricValues } from './telemetry-metrics.ts'

export interface Metrics extends ResourceMetrics {
  observe(operation: string, status: number, seconds: number): void
  /** Chain entries that a verification has read and hashed. */
  verified(mode: string, entries: number): void
  /** An attempt to deliver ended: `success`, or the class of its failure. */
  webhookAttempt(outcome: string): void
  /** A lease expired without a release, and another worker took it over. */
  webhookTakeover(): void
  /** An execution of a workflow ended in this process: COMPLETED or FAILED. */
  executionEnded(status: string): void
  /** An execution was taken over from a worker that had not released it. */
  executionTakeover(): void
  values(): Promise<readonly MetricValues[]>
  /** The Prometheus text format. */
  text(): Promise<string>
  listen(port: number, host: string): Promise<Server>
}

/** A chain that another transaction of the database holds. */
interface LockedChain {
  readonly centerId: number
  readonly domain: string
  readonly pid: number | null
  readonly since: number
}

/** Read at each scrape, by cell, without the cells that do not answer. */
export interface Sources extends ResourceSources {
  /** Every cell, also those that do not answer. */
  cellsUp(): Promise<ReadonlyMap<string, boolean>>
  /** What this process has read of cells lately; see metrics-scanned.ts. */
  scanned(): ReadonlyMap<string, CellFigures>
  lockedChains(): ReadonlyMap<string, readonly LockedChain[]>
}

export function makeMetrics(sources: Sources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // First: collectors run in the order of their registration, and one that asks a database would be counted as a waiting caller.
  const resources = resourceMetrics(registry, sources)
  const requests = new Counter({
    name: 'countersign_requests_total',
    help: 'Requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const latency = new Histogram({
    name: 'countersign_request_seconds',
    help: 'Time to answer, by operation',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const entries = new Counter({
    name: 'countersign_entries_verified_total',
    help: 'Chain entries read and hashed by verifications, by mode',
    labelNames: ['mode'],
    registers: [registry],
  })
  new Gauge({
    name: 'countersign_cell_up',
    help: '1 if the cell answers this process and can be written, otherwise 0',
    labelNames: ['cell'],
    registers: [registry],
    async collect() {
      for (const [cell, up] of await sources.cellsUp()) this.set({ cell }, up ? 1 : 0)
    },
  })
  new Gauge({
    name: 'countersign_chain_locked_seconds',
    help: 'How long a center has waited for a chain that another transaction holds, with the process of the database',
    labelNames: ['cell', 'center', 'domain', 'pid'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [cell, chains] of sources.lockedChains())
        for (const { centerId, domain, pid, since } of chains)
          this.set({ cell, center: centerId, domain, pid: pid ?? '' }, (performance.now() - since) / 1000)
    },
  })
  const attempts = new Counter({
    name: 'countersign_webhook_attempts_total',
    help: 'Delivery attempts, by outcome: success, http for a response other than 2xx, or why there was no response',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const takeovers = new Counter({
    name: 'countersign_webhook_lease_takeovers_total',
    help: 'Endpoints taken over from a worker that had not released them',
    registers: [registry],
  })
  const executions = new Counter({
    name: 'countersign_workflow_executions_total',
    help: 'Executions of workflows that ended in this process, by status',
    labelNames: ['status'],
    registers: [registry],
  })
  const executionTakeovers = new Counter({
    name: 'countersign_workflow_lease_takeovers_total',
    help: 'Executions taken over from a worker that had not released them',
    registers: [registry],
  })
  scannedMetrics(registry, sources.scanned)
  return {
    ...resources,
    webhookAttempt: (outcome) => attempts.inc({ outcome }),
    webhookTakeover: () => takeovers.inc(),
    executionEnded: (status) => executions.inc({ status }),
    executionTakeover: () => executionTakeovers.inc(),
    observe(operation, status, seconds) {
      requests.inc({ operation, status })
      latency.observe({ operation }, seconds)
    },
    verified: (mode, count) => entries.inc({ mode }, count),
    values: async () => (await registry.getMetricsAsJSON()) as unknown as readonly MetricValues[],
    text: () => registry.metrics(),
    async listen(port, host) {
      const server = createServer(async (request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404).end()
        const body = await registry.metrics()
        return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
      })
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
      return server
    },
  }
}
