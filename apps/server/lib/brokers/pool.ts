/**
 * Connections to the brokers that customers name. Each webhook has one connection, so that a broker or an exchange that
 * does not work harms no other webhook. Their number is bounded, in total and per center; an idle one is closed to make room.
 *
 * `publish` never throws and always ends: one deadline covers the wait for a connection, the name servers, connecting,
 * TLS, the login and the acknowledgment. Addresses pass the same guard as those of HTTP.
 */
import type { Socket } from 'node:net'
import { addressGuard } from '../address-guard.ts'
import { type FailureKind, guardedConnect, OutboundFailure, unlessAborted } from '../guarded-connect.ts'
import type { Exchange } from '../outbound-http.ts'
import { openResolver } from '../resolver.ts'
import { openAmqp } from './amqp.ts'
import type { BrokerConnection, BrokerMessage } from './connection.ts'
import { openNats } from './nats.ts'
import { type BrokerType, type BrokerUrl, credentialsOf, readBrokerUrl } from './url.ts'

export interface BrokerTarget {
  readonly centerId: number
  readonly webhookId: string
  readonly type: BrokerType
  readonly url: string
  /** The credentials as they are written in a URL, or null. */
  readonly userinfo: string | null
}

export interface Brokers {
  /** The exchange has no error once the broker has stored the message; its excerpt is what the broker answered. */
  publish(target: BrokerTarget, message: BrokerMessage): Promise<Exchange>
  close(): Promise<void>
}

export interface BrokerOptions {
  readonly allowedNetworks: readonly string[]
  readonly dnsServers: readonly string[]
  readonly mostConnections?: number
  readonly mostPerCenter?: number
  readonly timeoutMs?: number
  readonly idleMs?: number
  /** Trusted instead of the well-known authorities, in PEM. For tests. */
  readonly ca?: string
}

interface Line {
  readonly centerId: number
  readonly opening: Promise<BrokerConnection>
  readonly stop: AbortController
  inFlight: number
  usedAt: number
  /** When the broker last acknowledged or refused a message. */
  heardAt: number
  /** Messages whose deadline passed without an answer. */
  unanswered: number
}

const maxUnanswered = 100

export function openBrokers(options: BrokerOptions): Brokers {
  const { allowedNetworks, dnsServers, ca, timeoutMs = 5000, idleMs = 30_000 } = options
  const { mostConnections = 256, mostPerCenter = 16 } = options
  const guard = addressGuard(allowedNetworks)
  const resolver = openResolver({ servers: dnsServers, timeoutMs })
  const lines = new Map<string, Line>()
  let waiting: (() => void)[] = []

  const wake = () => {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }
  const idleLines = () => [...lines].filter(([, { inFlight }]) => inFlight === 0)

  function drop(key: string, line: Line): void {
    if (lines.get(key) === line) lines.delete(key)
    line.stop.abort(new OutboundFailure('reset', 'The connection was closed.'))
    line.opening.then(
      (connection) => connection.close(),
      () => {},
    )
    wake()
  }

  /** Closes the idle connection that was used least recently, of this center or, at the bound of all, of any. */
  function makePlace(centerId: number): boolean {
    const ofCenter = [...lines.values()].filter((line) => line.centerId === centerId).length
    if (ofCenter < mostPerCenter && lines.size < mostConnections) return true
    const candidates = idleLines().filter(([, line]) => ofCenter < mostPerCenter || line.centerId === centerId)
    const oldest = candidates.toSorted(([, a], [, b]) => a.usedAt - b.usedAt)[0]
    if (!oldest) return false
    drop(...oldest)
    return true
  }

  /** The caller holds the line from here, so that no other takes it for idle, until `send` has ended. */
  async function lineTo(key: string, target: BrokerTarget, url: BrokerUrl, deadline: AbortSignal): Promise<Line> {
    for (;;) {
      const known = lines.get(key)
      if (known) {
        known.inFlight++
        return known
      }
      if (makePlace(target.centerId)) break
      await unlessEnded(new Promise<void>((resolve) => waiting.push(resolve)), deadline)
    }
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(timedOut(timeoutMs)), timeoutMs)
    const opening = open(url, target.userinfo, stop.signal)
    const line: Line = {
      centerId: target.centerId,
      opening,
      stop,
      inFlight: 1,
      usedAt: performance.now(),
      heardAt: 0,
      unanswered: 0,
    }
    lines.set(key, line)
    const gone = () => drop(key, line)
    opening.finally(() => clearTimeout(timer)).then((connection) => connection.ended.then(gone), gone)
    return line
  }

  function open(url: BrokerUrl, userinfo: string | null, stop: AbortSignal): Promise<BrokerConnection> {
    const destination = { protocol: 'tcp:', hostname: url.host, port: url.port }
    const openSocket = async (): Promise<Socket> => {
      const connecting = guardedConnect(destination, { guard, resolver, ca, timeoutMs }, stop)
      const socket = await unlessAborted(connecting, stop)
      stop.addEventListener('abort', () => socket.destroy(), { once: true })
      return socket.on('error', () => {})
    }
    const login = { url, credentials: credentialsOf(userinfo), openSocket, ca, timeoutMs }
    const opening = url.type === 'nats' ? openNats(login) : openAmqp(login)
    return new Promise((resolve, reject) => {
      stop.addEventListener('abort', () => reject(stop.reason), { once: true })
      opening.then((connection) => (stop.aborted ? connection.close() : resolve(connection)), reject)
    })
  }

  async function send(key: string, line: Line, message: BrokerMessage, deadline: AbortSignal): Promise<string> {
    const startedAt = performance.now()
    try {
      const connection = await unlessEnded(line.opening, deadline)
      const answer = await unlessEnded(connection.publish(message), deadline)
      line.heardAt = performance.now()
      return answer
    } catch (error) {
      if (error instanceof OutboundFailure && /^(unroutable|rejected)$/.test(error.kind))
        line.heardAt = performance.now()
      throw error
    } finally {
      line.inFlight--
      line.usedAt = performance.now()
      if (deadline.aborted) line.unanswered++
      // A connection on which nothing came back meanwhile may be dead; the next attempt opens another. A broker that
      // answers only sometimes would otherwise fill memory with messages that wait for its answer.
      if (deadline.aborted && (line.heardAt < startedAt || line.unanswered >= maxUnanswered)) drop(key, line)
      wake()
    }
  }

  async function publish(target: BrokerTarget, message: BrokerMessage): Promise<Exchange> {
    const startedAt = performance.now()
    const exchangeOf = (failure: Failure | null, answer: string): Exchange => ({
      responseStatus: null,
      retryAfter: null,
      excerpt: answer,
      error: failure?.kind ?? null,
      message: failure?.message ?? null,
      ms: Math.round(performance.now() - startedAt),
    })
    const url = readBrokerUrl(target.type, target.url, guard)
    if (typeof url === 'string') return exchangeOf({ kind: 'blocked_address', message: url }, '')
    const key = JSON.stringify([target.webhookId, target.url, target.userinfo])
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(timedOut(timeoutMs)), timeoutMs)
    try {
      const line = await lineTo(key, target, url, deadline.signal)
      return exchangeOf(null, await send(key, line, message, deadline.signal))
    } catch (error) {
      const broken = { kind: 'reset', message: 'The connection to the broker broke.' } as const
      return exchangeOf(error instanceof OutboundFailure ? error : broken, '')
    } finally {
      clearTimeout(timer)
    }
  }

  const sweeper = setInterval(() => {
    for (const [key, line] of idleLines()) if (line.usedAt < performance.now() - idleMs) drop(key, line)
  }, idleMs / 2).unref()

  return {
    publish,
    async close() {
      clearInterval(sweeper)
      for (const [key, line] of [...lines]) drop(key, line)
      resolver.close()
    },
  }
}

type Failure = { readonly kind: FailureKind; readonly message: string }

const timedOut = (timeoutMs: number) =>
  new OutboundFailure('timeout', `The broker did not acknowledge the message within ${timeoutMs / 1000} seconds.`)

function unlessEnded<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(deadline.reason)
    if (deadline.aborted) end()
    deadline.addEventListener('abort', end, { once: true })
    work.then(resolve, reject)
  })
}
