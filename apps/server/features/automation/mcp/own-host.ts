/**
 * Refuses requests that a browser makes for a page of another site. A page may give its own name the address of this
 * server (DNS rebinding), so that `Host` is foreign; a page of another origin is named by `Origin`.
 */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config/config.ts'
import { Problem } from '../../../lib/problem.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

export type HostConfig = Pick<Config, 'host' | 'publicUrl' | 'authUrl' | 'corsOrigins' | 'mcpHosts'>

export function ownHost(config: HostConfig): (request: FastifyRequest) => void {
  const own = [config.publicUrl, config.authUrl].map((address) => new URL(address))
  const isLocal = loopback.includes(config.host) || config.host === '::1'
  const hosts = new Set([...own.map(({ hostname }) => hostname), ...config.mcpHosts, ...(isLocal ? loopback : [])])
  const origins = new Set([...own.map(({ origin }) => origin), ...config.corsOrigins])

  const hostname = (host: string): string => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '')

  return (request) => {
    // Of a trusted proxy: the Host that the proxy received.
    if (!hosts.has(hostname(request.host ?? ''))) {
      throw new Problem(
        'FORBIDDEN',
        "This server doesn't accept requests for the name in the Host header. Use the server's public address, or ask the operator to allow the name.",
      )
    }
    const { origin } = request.headers
    if (origin !== undefined && !origins.has(origin)) {
      throw new Problem('FORBIDDEN', "Pages from this origin can't call /mcp. Ask the operator to allow the origin.")
    }
  }
}
