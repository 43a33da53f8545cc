/** `/metrics`, `/health` and `/ready`, on a port that agents don't reach. */
import { createServer } from 'node:http'
import type { Gateway } from './gateway.ts'
import { bound, type Listening } from './http.ts'

export async function watch(gateway: Gateway, { host, port }: { host: string; port: number }): Promise<Listening> {
  const server = createServer(({ url }, response) => {
    if (url === '/metrics') {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
      response.end(gateway.metricsText())
    } else if (url === '/health') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"status":"ok"}')
    } else if (url === '/ready') {
      // Ready once every server was reached: agents then see all their tools.
      const { upstreams, changes } = gateway.snapshot()
      response.writeHead(upstreams.every(({ isReady }) => isReady) ? 200 : 503, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ upstreams, changedTools: changes }))
    } else {
      response.writeHead(404)
      response.end()
    }
  })
  const url = await bound(server, host, port)
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
