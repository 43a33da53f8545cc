/** What operators watch, on a port of its own: `/metrics` is not for the public. */
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(operation: string, status: number, seconds: number): void
  listen(port: number): Promise<Server>
}

export function makeMetrics(): Metrics {
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
  return {
    observe(operation, status, seconds) {
      requests.inc({ operation, status })
      latency.observe({ operation }, seconds)
    },
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
