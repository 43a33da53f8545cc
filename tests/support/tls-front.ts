/** A proxy that speaks TLS for any host, as an operator puts one in front of custom domains. */
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificates } from '@countersign/server/lib/test/hostile-servers.ts'

export interface TlsFront {
  readonly port: number
  close(): Promise<void>
}

/** `target`: the port of the server, which may start later. */
export async function startTlsFront(target: () => number): Promise<TlsFront> {
  const server = createServer(makeCertificates().selfSigned, (asked, answer) => {
    const { method, url: path, headers } = asked
    const forwarded = { ...headers, 'x-forwarded-host': headers.host ?? '', 'x-forwarded-proto': 'https' }
    const passed = request({ host: '127.0.0.1', port: target(), method, path, headers: forwarded }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
