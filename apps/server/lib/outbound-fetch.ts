/**
 * `fetch` for libraries that call servers which customers name, behind the same address guard as outbound-http.ts: every
 * URL is checked, connections go to checked addresses only, redirects are not followed, one deadline covers the whole
 * exchange, and an answer has at most 256 KiB.
 */
import { Agent, type buildConnector, request } from 'undici'
import { type AddressGuard, addressGuard } from './address-guard.ts'
import { guardedConnect, OutboundFailure, unlessAborted } from './guarded-connect.ts'
import type { OutboundOptions } from './outbound-http.ts'
import { openResolver } from './resolver.ts'

export interface FetchRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface OutboundFetch {
  readonly guard: AddressGuard
  /** Rejects with an `OutboundFailure` where no complete answer came. */
  fetch(url: string, request: FetchRequest): Promise<Response>
  close(): Promise<void>
}

const mostBytes = 256 * 1024
const mostHeaderBytes = 16 * 1024
/** The statuses for which `Response` allows no body. */
const bodiless = new Set([204, 205, 304])

export function openOutboundFetch(options: Omit<OutboundOptions, 'connectionsPerOrigin'>): OutboundFetch {
  const timeoutMs = options.timeoutMs ?? 5000
  const guard = addressGuard(options.allowedNetworks)
  const resolver = openResolver({ servers: options.dnsServers, timeoutMs })
  const connecting = { guard, resolver, ca: options.ca, timeoutMs }
  const late = () => new OutboundFailure('timeout', `No answer within ${timeoutMs / 1000} seconds.`)

  function connect({ protocol, hostname, port }: buildConnector.Options, done: buildConnector.Callback): void {
    const attempt = new AbortController()
    const timer = setTimeout(() => attempt.abort(late()), timeoutMs)
    const destination = {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    void unlessAborted(guardedConnect(destination, connecting, attempt.signal), attempt.signal)
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
  }

  const agent = new Agent({
    connect,
    connections: 4,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHeaderBytes,
  })

  async function exchange(url: string, { method, headers, body }: FetchRequest, signal: AbortSignal) {
    const text = body === undefined || body === null ? null : String(body)
    const answer = await request(url, { dispatcher: agent, method, headers: { ...headers }, body: text, signal })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > mostBytes) throw new OutboundFailure('bad_response', `The answer is longer than ${mostBytes} bytes.`)
      chunks.push(chunk)
    }
    const { statusCode: status } = answer
    const type = answer.headers['content-type']
    return new Response(bodiless.has(status) ? null : Buffer.concat(chunks), {
      status,
      headers: type === undefined ? {} : { 'content-type': String(type) },
    })
  }

  return {
    guard,
    async fetch(url, init) {
      const refusal = guard.refusalOfUrl(url)
      if (refusal !== null) throw new OutboundFailure('blocked_address', refusal)
      const deadline = AbortSignal.timeout(timeoutMs)
      try {
        return await exchange(url, init, deadline)
      } catch (error) {
        if (error instanceof OutboundFailure) throw error
        throw deadline.aborted ? late() : new OutboundFailure('reset', 'The server gave no valid answer.', error)
      }
    },
    async close() {
      await agent.close()
      resolver.close()
    },
  }
}
