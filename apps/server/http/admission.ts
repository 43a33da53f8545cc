/**
 * Bounds on what one tenant has in progress in this process: requests, and bytes of request bodies. A tenant is a center,
 * a person who has entered no center, or the address of an anonymous client. A body above its tenant's bound waits
 * unread, so that TCP slows the sender down, and bodies of different tenants are admitted in turn.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import { type Release, turns } from '../concurrency/turns.ts'
import type { Config } from '../config/config.ts'
import { Problem, unavailable } from '../lib/problem.ts'
import type { Processing } from './json-body.ts'

export const bodyLimit = 1024 * 1024
/** Smaller bodies never wait: the bound on requests in progress bounds their bytes too. */
const unmeteredBytes = 16 * 1024
/**
 * A body waits between these times, different for each: callers that were refused at the same time would return at the
 * same time, and receiving their bodies together would delay everyone.
 */
const [shortestWaitMs, longestWaitMs] = [2000, 6000]
/** The process counts as shared for this long after requests of two tenants. */
const sharedMs = 1000
/** Requests whose tenant is not known yet may be this many times `MAX_IN_FLIGHT`. */
const unknownFactor = 2
/** Requests that each tenant keeps while the event loop is late. */
const keptWhenLate = 8
/**
 * Changes of a center lock its row in the directory. More of them would wait for each other there, each with one of the few
 * connections that all centers share; they wait here, and the bound on requests in progress bounds their number.
 */
const changesAtOnce = 2
const longestTurnMs = 8000
/** How long the server waits for a refused client to close its side. */
const lingerMs = 1000

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while the request counts as in progress for its tenant. */
    tenant: string | null
    /** Ends the counting of the request; null once it has ended. */
    release: (() => void) | null
    /** The size of the body, once it is read. */
    bodyBytes: number
    /** Set while a large body is being processed, and called when the request ends. */
    ended: (() => void) | null
  }
}

export interface Admission {
  /** Counts the request until it is answered or aborted. Throws 503 when far too many are in progress to ask for whom. */
  begin(request: FastifyRequest, reply: FastifyReply): void
  /** Counts it for its tenant too. Throws 429 when the tenant has too many, 503 when the process has and the tenant is a cause. */
  enter(request: FastifyRequest, reply: FastifyReply, tenant: string): void
  /** A request that stays open for hours no longer counts; what it opened has bounds of its own. */
  release(request: FastifyRequest): void
  /** Whether requests of more than one tenant arrived just now. */
  isShared(): boolean
  /** What the parser of a large body needs to know about its request. */
  processing(request: FastifyRequest): Processing
  /** Runs a change of a center in the directory, in turn with its other changes. Throws 503 when that takes too long. */
  inTurn<T>(center: number, change: () => Promise<T>): Promise<T>
  /** Waits until the bytes of the body are admitted; null where there is nothing to wait for. */
  admitBody(request: FastifyRequest, reply: FastifyReply): Promise<void> | null
}

/** The center that the caller counts for. Only a member may use up what the center is allowed. */
export function centerOf(principal: Principal | null): number | null {
  if (principal?.kind === 'key') return principal.centerId
  return principal?.entered?.status === 'ACTIVE' ? principal.entered.centerId : null
}

export function tenantOf(principal: Principal | null, address: string): string {
  const center = centerOf(principal)
  if (center !== null) return `center ${center}`
  return principal?.kind === 'actor' ? `actor ${principal.actorId}` : `address ${address}`
}

/** The length of the body as the request states it; 0 where it states none or the body is refused unread. */
export function statedBytes({ method, headers }: FastifyRequest): number {
  if (method === 'GET' || method === 'HEAD') return 0
  const length = Number(headers['content-length'] ?? 0)
  return length > bodyLimit ? 0 : length
}

/** What the body may take in memory: a body without a length counts as the largest. */
function bodyBytes(request: FastifyRequest): number {
  return request.headers['transfer-encoding'] === undefined ? statedBytes(request) : bodyLimit
}

export function admission(
  bounds: Pick<Config, 'maxInFlight' | 'maxBodyBytes' | 'perCenter'>,
  isLate: () => boolean,
): Admission {
  const perTenant = bounds.perCenter.maxInFlight
  const inProgress = new Map<string, number>()
  const bodies = turns({ total: bounds.maxBodyBytes, perKey: bounds.perCenter.maxBodyBytes })
  const changes = turns({ total: Number.POSITIVE_INFINITY, perKey: changesAtOnce })
  let total = 0
  let lastTenant = ''
  /** When a request of another tenant than the one before arrived last. */
  let sharedAt = Number.NEGATIVE_INFINITY

  function leave(tenant: string): void {
    const rest = (inProgress.get(tenant) as number) - 1
    if (rest > 0) inProgress.set(tenant, rest)
    else inProgress.delete(tenant)
  }

  async function waitForBytes(reply: FastifyReply, tenant: string, bytes: number): Promise<Release> {
    const { raw } = reply
    const giveUp = new AbortController()
    const disconnected = () => giveUp.abort(tooManyBytes())
    const waitMs = shortestWaitMs + Math.random() * (longestWaitMs - shortestWaitMs)
    const timer = setTimeout(disconnected, waitMs)
    raw.once('close', disconnected)
    try {
      return await bodies.take(tenant, bytes, giveUp.signal)
    } catch (error) {
      closeAfterAnswer(reply)
      throw error
    } finally {
      clearTimeout(timer)
      raw.off('close', disconnected)
    }
  }

  const tooManyChanges = (): never => {
    throw unavailable('Too many changes to this center are in progress')
  }
  const isShared = (): boolean => performance.now() - sharedAt < sharedMs

  const tooManyBytes = () =>
    new Problem(
      'RATE_LIMITED',
      `At most ${bounds.perCenter.maxBodyBytes} bytes of request bodies are processed at a time for one center or client address. Wait for responses before you send more, or send smaller bodies.`,
      { retryAfter: 1 },
    )

  return {
    begin(request, reply) {
      total++
      request.release = () => {
        request.release = null
        total--
        if (request.tenant !== null) leave(request.tenant)
        request.tenant = null
      }
      // Not onResponse: Fastify does not call it for aborted requests, and calls it for requests that were never counted.
      reply.raw.once('close', () => {
        request.ended?.()
        request.release?.()
      })
      if (total > unknownFactor * bounds.maxInFlight && !request.url.startsWith('/health/')) throw busy()
    },
    release: (request) => request.release?.(),
    async inTurn(center, change) {
      const key = String(center)
      const taken = changes.tryTake(key)
      const release = taken ?? (await changes.take(key, 1, AbortSignal.timeout(longestTurnMs)).catch(tooManyChanges))
      try {
        return await change()
      } finally {
        release()
      }
    },
    isShared,
    processing: (request) => ({
      isShared,
      isGone: () => request.raw.socket.destroyed,
      onClose(ended) {
        if (request.raw.socket.destroyed) ended()
        else request.ended = ended
      },
    }),
    enter(request, reply, tenant) {
      if (tenant !== lastTenant) sharedAt = performance.now()
      lastTenant = tenant
      const count = (inProgress.get(tenant) ?? 0) + 1
      // A tenant that has no more than its equal share is not refused because of the others.
      const isGreedy = total > bounds.maxInFlight && count > bounds.maxInFlight / Math.max(1, inProgress.size)
      const refusal =
        count > perTenant ? tooMany(perTenant) : isGreedy || (count > keptWhenLate && isLate()) ? busy() : null
      if (refusal) {
        if (bodyBytes(request) > unmeteredBytes) closeAfterAnswer(reply)
        throw refusal
      }
      // An aborted request would never be subtracted again.
      if (reply.raw.destroyed) return
      inProgress.set(tenant, count)
      request.tenant = tenant
    },
    admitBody(request, reply) {
      const bytes = bodyBytes(request)
      if (bytes <= unmeteredBytes || request.tenant === null) return null
      const admit = (release: Release) => {
        reply.raw.once('close', release)
        if (reply.raw.destroyed) release()
      }
      const taken = bodies.tryTake(request.tenant, bytes)
      if (!taken) return waitForBytes(reply, request.tenant, bytes).then(admit)
      admit(taken)
      return null
    },
  }
}

const busy = () => new Problem('SERVICE_UNAVAILABLE', 'The server is busy. Try again in a second.', { retryAfter: 1 })

const tooMany = (most: number) =>
  new Problem(
    'RATE_LIMITED',
    `At most ${most} requests are processed at a time for one center or client address. Wait for responses before you send more.`,
    { retryAfter: 1 },
  )

/**
 * Closes the connection after the answer, so that the body is not received. The server ends its side first: destroying a
 * socket with unread bytes resets the connection, and the client may lose the answer.
 */
function closeAfterAnswer(reply: FastifyReply): void {
  reply.header('connection', 'close')
  const { socket } = reply.raw
  if (!socket) return
  socket.destroySoon = () => {
    socket.end()
    // Node reads on, to throw the body away: at thirty refusals a second the garbage alone delays every other request.
    setImmediate(() => socket.pause())
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}
