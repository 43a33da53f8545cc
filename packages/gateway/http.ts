/** MCP over HTTP for all agents of the configuration, at `/mcp`. A token says which agent it is; there are no sessions. */
import { hash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpHttpHandler,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Agent, Config, Listen } from './config.ts'
import type { Gateway } from './gateway.ts'

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** As much as Countersign accepts as the input of an action, with room for the protocol. */
const mostBodyBytes = 1_048_576
const mostConnections = 2000
/** Requests of one agent at once, beside its open calls: lists, resources, and calls that aren't held. */
const moreRequests = 50

const digest = (token: string): Buffer => hash('sha256', token, 'buffer')

export function agentByToken(agents: readonly Agent[]): (authorization: string | undefined) => Agent | null {
  const known = agents.flatMap((agent) => (agent.token ? [{ agent, token: digest(agent.token) }] : []))
  return (authorization) => {
    const [, token] = /^Bearer ([!-~]{1,1000})$/i.exec(authorization ?? '') ?? []
    if (!token) return null
    const given = digest(token)
    // Every token is compared, in constant time: how long it takes says nothing about a token.
    return known.filter((each) => timingSafeEqual(each.token, given))[0]?.agent ?? null
  }
}

export async function listen(
  gateway: Gateway,
  config: Config,
  { host, port, names }: Listen,
  say: (line: string) => void,
) {
  const agentOf = agentByToken(config.agents)
  const handlers = new Map<string, McpHttpHandler>(
    config.agents.map((agent) => [
      agent.id,
      createMcpHandler(() => gateway.front(agent), {
        // Lists are short and read often; nothing is published on a stream.
        ...{ maxSubscriptions: 0, maxRequestBodySize: mostBodyBytes },
        onerror: () => {},
      }),
    ]),
  )
  const inFlight = new Map<string, number>()
  const hosts = [...localhostAllowedHostnames(), ...names]

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController()
    response.once('close', () => left.abort())
    const { method = 'GET', headers, url = '/' } = request
    if (new URL(url, 'http://gateway').pathname !== '/mcp') return refuse(response, 404, 'The gateway is at /mcp.')
    const agent = agentOf(headers.authorization)
    if (!agent) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(response, 401, 'Send the token of an agent as a bearer token.')
    }
    const requests = (inFlight.get(agent.id) ?? 0) + 1
    // One agent must not take the connections, the memory or the servers of the others.
    if (requests > config.limits.callsPerAgent + moreRequests) {
      response.setHeader('retry-after', '1')
      return refuse(response, 429, 'This agent has too many requests at once.')
    }
    inFlight.set(agent.id, requests)
    response.once('close', () => inFlight.set(agent.id, (inFlight.get(agent.id) ?? 1) - 1))
    // Without the credential, which belongs to the gateway alone.
    const kept = Object.entries(headers).filter(
      ([name]) => !/^(authorization|cookie|connection|transfer-encoding)$/.test(name),
    )
    const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(request) as ReadableStream)
    const web = new Request(`http://${headers.host ?? 'gateway'}/mcp`, {
      ...{
        method,
        body,
        signal: left.signal,
        headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
      },
      ...(body && { duplex: 'half' }),
    } as RequestInit)
    const rejected = hostHeaderValidationResponse(web, hosts) ?? originValidationResponse(web, hosts)
    const answer = rejected ?? (await (handlers.get(agent.id) as McpHttpHandler).fetch(web))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response)
    else response.end()
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy()
      else if (!response.destroyed) refuse(response, /host|URL/i.test(error.message) ? 400 : 500, 'The request failed.')
    })
  })
  server.maxConnections = mostConnections
  // A call may wait for a person before its answer begins.
  server.requestTimeout = 30_000
  const at = await bound(server, host, port)
  say(`serving agents at ${at}/mcp`)
  return {
    url: at,
    async close() {
      await Promise.all([...handlers.values()].map((each) => each.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  } satisfies Listening
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: message }))
}

export async function bound(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const found = server.address()
  const actual = typeof found === 'object' && found ? found.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}
