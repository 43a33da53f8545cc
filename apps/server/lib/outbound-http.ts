/**
 * Calls servers of third parties: `openOutbound` those that customers name, behind the address guard, and `openService` one
 * that the operator has configured. For libraries that take a `fetch` there is outbound-fetch.ts; no other module calls any.
 *
 * `post` never throws and always ends: one deadline covers the wait for a connection, the name servers, connecting,
 * TLS, headers and body. The headers decide the outcome: whatever happens to the body afterwards, the status counts.
 * Redirects are not followed and nothing is decompressed, so an answer takes no more memory than its bytes.
 */
import { StringDecoder } from 'node:string_decoder'
import { LRUCache } from 'lru-cache'
import { Agent, type buildConnector, type Dispatcher, errors, request } from 'undici'
import { addressGuard } from './address-guard.ts'
import { type FailureKind, guardedConnect, OutboundFailure, tlsReason, unlessAborted } from './guarded-connect.ts'
import { openResolver } from './resolver.ts'

export interface Exchange {
  readonly responseStatus: number | null
  readonly retryAfter: string | null
  /** The first 1 KiB of the body as text that PostgreSQL can store. */
  readonly excerpt: string
  readonly error: FailureKind | null
  /** A message for people when there is an error. */
  readonly message: string | null
  readonly ms: number
}

export interface Outbound {
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer | string): Promise<Exchange>
  /** Waits for exchanges that are under way, at most until their deadline. */
  close(): Promise<void>
}

export interface OutboundOptions {
  /** CIDRs that are allowed although they are not public. */
  readonly allowedNetworks: readonly string[]
  /** Empty means the system's. */
  readonly dnsServers: readonly string[]
  readonly connectionsPerOrigin: number
  readonly timeoutMs?: number
  /** Trusted instead of the well-known authorities, in PEM. For tests. */
  readonly ca?: string
}

interface Target {
  readonly origin: string
  readonly path: string
  readonly refusal: string | null
}

const excerptBytes = 1024
const maxBodyBytes = 64 * 1024
const maxHeaderBytes = 16 * 1024
/** Below the 60 and 75 seconds after which common proxies close. A shorter time that a server announces is used. */
const keepAliveMs = 30_000

export function openOutbound(options: OutboundOptions): Outbound {
  const timeoutMs = options.timeoutMs ?? 5000
  const guard = addressGuard(options.allowedNetworks)
  const resolver = openResolver({ servers: options.dnsServers, timeoutMs })
  const connecting = { guard, resolver, ca: options.ca, timeoutMs }
  const targets = new LRUCache<string, Target>({ max: 10_000 })
  /** Posts by origin that have no connection yet, and the attempts to connect that exist only for them. */
  const waiting = new Map<string, number>()
  const attempts = new Map<string, Set<AbortController>>()
  let closed: Promise<void> | undefined

  const arrive = (origin: string) => waiting.set(origin, (waiting.get(origin) ?? 0) + 1)
  const leave = (origin: string) => {
    const left = (waiting.get(origin) ?? 1) - 1
    if (left > 0) return waiting.set(origin, left)
    waiting.delete(origin)
    for (const attempt of attempts.get(origin) ?? []) attempt.abort(noPostWaits)
  }

  function connect({ protocol, host, hostname, port }: buildConnector.Options, done: buildConnector.Callback): void {
    const origin = `${protocol}//${host}`
    const attempt = new AbortController()
    const timer = setTimeout(() => attempt.abort(timedOut(timeoutMs)), timeoutMs)
    const siblings = attempts.get(origin) ?? new Set()
    attempts.set(origin, siblings.add(attempt))
    const destination = {
      protocol,
      hostname: hostname.replace(/\.$/, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    // A post that timed out in undici's queue must not open a connection that no post uses.
    if (!waiting.has(origin)) attempt.abort(noPostWaits)
    void unlessAborted(guardedConnect(destination, connecting, attempt.signal), attempt.signal)
      .finally(() => {
        clearTimeout(timer)
        siblings.delete(attempt)
        if (siblings.size === 0) attempts.delete(origin)
      })
      .then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
  }

  const agent = new Agent({
    connect,
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // The deadline of the whole exchange takes their place.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  })

  function targetOf(url: string): Target {
    const known = targets.get(url)
    if (known) return known
    const refusal = guard.refusalOfUrl(url)
    const parsed = refusal === null ? new URL(url) : null
    const target = { origin: parsed?.origin ?? '', path: parsed ? parsed.pathname + parsed.search : '', refusal }
    targets.set(url, target)
    return target
  }

  function post(url: string, headers: Readonly<Record<string, string>>, body: Buffer | string): Promise<Exchange> {
    const startedAt = performance.now()
    const { origin, path, refusal } = targetOf(url)
    if (refusal !== null) return Promise.resolve(refused(refusal))
    return new Promise((resolve) => {
      let controller: Dispatcher.DispatchController | null = null
      let isSettled = false
      let responseStatus: number | null = null
      let retryAfter: string | null = null
      let bodyBytes = 0
      let start: Buffer | null = null

      const settle = (failure: { readonly kind: FailureKind; readonly message: string } | null) => {
        if (isSettled) return
        isSettled = true
        clearTimeout(deadline)
        if (controller === null) leave(origin)
        const counts = responseStatus !== null ? null : failure
        const excerpt = start === null ? '' : readable(start, bodyBytes > excerptBytes)
        const ms = Math.round(performance.now() - startedAt)
        resolve({
          responseStatus,
          retryAfter,
          excerpt,
          error: counts?.kind ?? null,
          message: counts?.message ?? null,
          ms,
        })
      }
      const deadline = setTimeout(() => {
        settle(timedOut(timeoutMs))
        controller?.abort(enough)
      }, timeoutMs)

      arrive(origin)
      agent.dispatch(
        { origin, path, method: 'POST', headers, body },
        {
          onRequestStart(started) {
            // Thrown before anything is written, so that the next post can use the connection.
            if (isSettled) throw enough
            controller = started
            leave(origin)
          },
          onResponseStart(_, status, responseHeaders) {
            // An interim response such as Early Hints: the final one follows.
            if (status < 200) return
            responseStatus = status
            const after = responseHeaders['retry-after']
            retryAfter = (Array.isArray(after) ? after[0] : after)?.slice(0, 100) ?? null
          },
          onResponseData(running, chunk) {
            const missing = excerptBytes - bodyBytes
            bodyBytes += chunk.length
            if (missing > 0) {
              // Copied, because the chunk is a window on a buffer sixty times as large.
              const part = Buffer.from(chunk.subarray(0, missing))
              start = start === null ? part : Buffer.concat([start, part])
            }
            if (bodyBytes <= maxBodyBytes) return
            settle(null)
            running.abort(enough)
          },
          onResponseEnd: () => settle(null),
          onResponseError: (_, error) => settle(failureOf(error)),
        },
      )
    })
  }

  return {
    post,
    close() {
      closed ??= agent.close().then(resolver.close)
      return closed
    },
  }
}

/** The complete answer of a service, or an error without any part of it. */
export interface ServiceAnswer {
  readonly status: number | null
  readonly retryAfter: string | null
  readonly body: string
  /** The same as raw bytes. */
  readonly bytes: Buffer
  /** A message for people, without the address, where no complete answer came. */
  readonly failure: string | null
}

export interface Service {
  /** Throws only the reason with which `signal` was aborted. */
  post(headers: Readonly<Record<string, string>>, body: string | Buffer, signal: AbortSignal): Promise<ServiceAnswer>
  close(): Promise<void>
}

/**
 * For an address from the settings, never one that a center chose. The operator may run the service in the same network,
 * so there is no guard: private addresses, http and the system's resolver are allowed. As above there is one deadline
 * and no redirect. An answer that is longer than `maxBytes` is an error.
 */
export function openService(url: string, { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): Service {
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: maxHeaderBytes })
  const empty = { status: null, retryAfter: null, body: '', bytes: Buffer.alloc(0) }
  const nothing = (failure: string): ServiceAnswer => ({ ...empty, failure })
  return {
    close: () => agent.close(),
    async post(headers, body, signal) {
      const deadline = AbortSignal.timeout(timeoutMs)
      try {
        const ends = AbortSignal.any([deadline, signal])
        const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal: ends })
        const after = answer.headers['retry-after']
        const chunks: Buffer[] = []
        let bytes = 0
        for await (const chunk of answer.body as AsyncIterable<Buffer>) {
          bytes += chunk.length
          // Leaving the loop closes the connection.
          if (bytes > maxBytes) return nothing(`The answer is longer than ${maxBytes} bytes.`)
          chunks.push(chunk)
        }
        const whole = Buffer.concat(chunks)
        return {
          status: answer.statusCode,
          retryAfter: (Array.isArray(after) ? after[0] : after) ?? null,
          body: whole.toString('utf8'),
          bytes: whole,
          failure: null,
        }
      } catch (error) {
        signal.throwIfAborted()
        return nothing(deadline.aborted ? timedOut(timeoutMs).message : serviceFailure(error as Error))
      }
    },
  }
}

function serviceFailure(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'The name of the server has no address.'
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|TIMEDOUT)/.test(code)) return 'The server accepts no connection.'
  if (/CERT|UNABLE_TO/.test(code)) return `No secure connection: ${tlsReason(error)}.`
  return failureOf(error).message
}

const refused = (message: string): Exchange => ({
  responseStatus: null,
  retryAfter: null,
  excerpt: '',
  error: 'blocked_address',
  message,
  ms: 0,
})

const enough = new Error('The exchange is over.')
const noPostWaits = new OutboundFailure('timeout', 'No request waits for this connection.')
const timedOut = (timeoutMs: number) => new OutboundFailure('timeout', `No answer within ${timeoutMs / 1000} seconds.`)

/** A character that is cut in two is left out; PostgreSQL's text type does not accept NUL. */
const readable = (bytes: Buffer, isCut: boolean): string =>
  (isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8')).replaceAll('\0', '\ufffd')

function failureOf(error: Error): { readonly kind: FailureKind; readonly message: string } {
  if (error instanceof OutboundFailure) return error
  const code = 'code' in error ? String(error.code) : ''
  const isNotHttp =
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    /^bad (response|upgrade)$/.test(error.message)
  if (isNotHttp) return { kind: 'bad_response', message: 'The server did not answer with valid HTTP.' }
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return { kind: 'tls', message: 'The secure connection broke.' }
  // Closed, or a header that HTTP does not allow: nothing was sent.
  if (/^UND_ERR_(CLOSED|DESTROYED|INVALID_ARG)/.test(code)) {
    return { kind: 'connect', message: 'The request could not be sent.' }
  }
  return { kind: 'reset', message: 'The server closed the connection without an answer.' }
}
