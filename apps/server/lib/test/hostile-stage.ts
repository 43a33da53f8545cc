/** A sender, servers to send to, and the canary. At the end all are closed, and the canary must have no connection. */
import type { Socket } from 'node:net'
import { type Outbound, type OutboundOptions, openOutbound } from '@countersign/server/lib/outbound-http.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { type HostileServer, listen, makeCertificates, openCanary } from './hostile-servers.ts'

export function hostileStage() {
  const certificates = makeCertificates()
  const opened: { close(): Promise<void> }[] = []
  let canary: Awaited<ReturnType<typeof openCanary>>

  beforeAll(async () => {
    canary = await openCanary()
  })
  afterAll(async () => {
    for (const each of opened.reverse()) await each.close()
    expect(canary.connections()).toBe(0)
    await canary.close()
  })

  return {
    certificates,
    canary: () => canary,
    open(options: Partial<OutboundOptions> = {}): Outbound {
      const defaults = { allowedNetworks: ['127.0.0.2/32'], dnsServers: [], connectionsPerOrigin: 4 }
      const outbound = openOutbound({ ...defaults, ca: certificates.ca, timeoutMs: 1000, ...options })
      opened.push(outbound)
      return outbound
    },
    async serve(greet: (socket: Socket) => void, options?: Parameters<typeof listen>[1]): Promise<HostileServer> {
      const server = await listen(greet, options)
      opened.push(server)
      return server
    },
  }
}
