/** What operators watch, on a port of its own: `/metrics` is not for the public. */
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(operation: string, status: number, seconds: number): void
  /** Chain entries that a verification has read and hashed. */
  verified(mode: string, entries: number): void
  /** As Prometheus reads it. */
  text(): Promise<string>
  listen(port: number): Promise<Server>
}

/** `brokenChains` is asked whenever somebody looks: how many there are by cell, without those cells that do not answer. */
export function makeMetrics(brokenChains: () => Promise<ReadonlyMap<string, number>>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
    name: 'countersign_chains_broken',
    help: 'Chains that were found broken and not cleared by an operator, by cell',
    labelNames: ['cell'],
    registers: [registry],
    async collect() {
      const broken = await brokenChains()
      this.reset()
      for (const [cell, chains] of broken) this.set({ cell }, chains)
    },
  })
  return {
    observe(operation, status, seconds) {
      requests.inc({ operation, status })
      latency.observe({ operation }, seconds)
    },
    verified: (mode, count) => entries.inc({ mode }, count),
    text: () => registry.metrics(),
    async listen(port) {
      const server = createServer(async (request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404).end()
        const body = await registry.metrics()
        return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
      })
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
      return server
    },
  }
}
