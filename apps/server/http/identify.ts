/**
 * Runs before the body is read: who calls, which rate limit the call counts against, and whether it is allowed. A call
 * with a failed credential counts against its address, so guessing is limited too; every answer has the limit headers.
 */
import type { OperationSpec, RateTier, Surface } from '@countersign/contract/operation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../access/authenticate.ts'
import type { CenterProfiles } from '../access/center-profiles.ts'
import { type ActorPrincipal, authorize, type Principal } from '../access/principal.ts'
import type { Config } from '../config/config.ts'
import { Problem } from '../lib/problem.ts'
import { requireAdminPasskey } from './admin-passkey.ts'
import { type Admission, centerOf, statedBytes, tenantOf } from './admission.ts'
import { readCookie } from './cookies.ts'
import { ownOrigins } from './origin.ts'
import type { Count, RateLimits, RateVerdict, Tier } from './rate-limit.ts'

export const limitHeaders = ({ limit, remaining, resetAt }: RateVerdict) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': resetAt,
})

export function showLimit(reply: FastifyReply, verdict: RateVerdict): void {
  reply.headers(limitHeaders(verdict))
}

export function enforce(reply: FastifyReply, verdict: RateVerdict): void {
  showLimit(reply, verdict)
  if (verdict.allowed) return
  const { tier, limit, retryAfter } = verdict
  throw new Problem('RATE_LIMITED', `${exceeded(tier, limit)} Try again in ${retryAfter} seconds.`, { retryAfter })
}

function exceeded(tier: Tier, limit: number): string {
  if (tier === 'bodyBytes')
    return `This center's callers have reached their combined limit of ${limit} bytes for the current period.`
  if (tier === 'centerProof' || tier === 'centerStandard')
    return `This center's callers have reached their combined limit of ${limit} requests for the current period.`
  if (tier === 'accountProof' || tier === 'accountStandard')
    return `This account's centers have reached their combined limit of ${limit} requests for the current period.`
  return "You've sent too many requests."
}

/** An IPv6 customer holds a whole /64 and could change the address with every request. */
export function addressKey(address: string | undefined): string {
  // A socket that has closed in the meantime has no address.
  if (!address?.includes(':')) return address ?? 'gone'
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped) return mapped
  // A proxy may spell the address in any way: zeros omitted or written out, letters in upper case.
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const network = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

const bearer = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/** Three parts, as a JWT has. */
const isAccessToken = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/

function countOf(principal: Principal, rate: RateTier): Count {
  if (principal.kind === 'actor') return { tier: principal.partner ? 'partner' : 'standard', key: principal.actorId }
  return rate === 'management'
    ? { tier: 'standard', key: principal.keyId }
    : { tier: 'proof', key: principal.keyId, limit: principal.rateLimit ?? undefined }
}

const unsafe = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** The limit that a call without a credential in its headers counts against, by address, before the body is read. */
export const publicTiers: Partial<Record<RateTier, Tier>> = { login: 'address', entry: 'address', token: 'tokens' }

/** What is known of an operation before its body is read; `/mcp` has no other. */
export interface Entry {
  readonly spec: Pick<OperationSpec, 'surface' | 'access' | 'evenWithoutPasskey'>
  readonly rate: RateTier
}

export type Identify = (entry: Entry, request: FastifyRequest, reply: FastifyReply) => Promise<Principal | null>

interface IdentifyNeeds {
  readonly config: Pick<Config, 'production' | 'publicUrl' | 'authUrl'>
  readonly limits: RateLimits
  readonly admission: Admission
  readonly authenticate: Authenticator
  readonly centers: CenterProfiles
}

export function identify({ config, limits, admission, authenticate, centers }: IdentifyNeeds): Identify {
  const own = ownOrigins(config)

  async function actor(request: FastifyRequest): Promise<Principal> {
    const token = bearer(request)
    if (token?.startsWith('csk_')) {
      throw new Problem(
        'UNAUTHORIZED',
        'This address takes an access token, and the request has an API key. API keys work under /api/v1; for this address, sign in with POST /api/auth/login.',
      )
    }
    if (token) return authenticate.actor(token)
    const cookie =
      request.headers.authorization === undefined ? readCookie(request, 'auth_token', config.production) : undefined
    if (!cookie)
      throw new Problem(
        'UNAUTHORIZED',
        'You aren\'t signed in. Send your access token in the "Authorization: Bearer" header.',
      )
    const principal = await authenticate.actor(cookie)
    const origin = request.headers.origin ?? ''
    const isOwn = own.has(origin) || (principal.site !== null && origin === `https://${principal.site}`)
    if (unsafe(request.method) && !isOwn) {
      throw new Problem(
        'FORBIDDEN',
        `A change made with the session cookie must come from ${[...own].join(' or ')}. Send an access token instead.`,
      )
    }
    return principal
  }

  /** Synchronous where a key is cached, as it is for most calls of the Proof API. */
  function whoCalls(surface: Surface, request: FastifyRequest): Principal | Promise<Principal> {
    if (surface !== 'proof') return actor(request)
    const key = bearer(request) ?? ''
    if (isAccessToken.test(key)) {
      throw new Problem(
        'UNAUTHORIZED',
        'This address takes an API key, and the request has an access token. Send a key that starts with csk_; access tokens work under /api, outside /api/v1.',
      )
    }
    return authenticate.key(key)
  }

  async function charge(request: FastifyRequest, principal: Principal, rate: RateTier): Promise<RateVerdict> {
    const counts = [countOf(principal, rate)]
    const center = centerOf(principal)
    if (center !== null) {
      const isProof = counts[0]?.tier === 'proof'
      const { owner } = principal.kind === 'key' ? principal.center : await centers.profile(center)
      counts.push({ tier: isProof ? 'centerProof' : 'centerStandard', key: String(center) })
      // The centers that one account has founded share what one center may use.
      if (owner !== null) counts.push({ tier: isProof ? 'accountProof' : 'accountStandard', key: owner })
      const points = statedBytes(request)
      if (points > 0) counts.push({ tier: 'bodyBytes', key: owner ?? String(center), points })
    }
    return limits.consumeAll(counts)
  }

  return async ({ spec, rate }, request, reply) => {
    if (rate === 'none') {
      showLimit(reply, limits.untouched('public'))
      return null
    }
    const address = addressKey(request.ip)
    if (spec.access.kind === 'public') {
      admission.enter(request, reply, tenantOf(null, address))
      enforce(reply, await limits.consume(publicTiers[rate] ?? 'public', address))
      return null
    }
    let principal: Principal
    try {
      const known = whoCalls(spec.surface, request)
      principal = known instanceof Promise ? await known : known
    } catch (error) {
      admission.enter(request, reply, tenantOf(null, address))
      enforce(reply, await limits.consume('public', address))
      throw error
    }
    // Before the count, which waits for Redis: meanwhile one tenant's requests would fill the process.
    admission.enter(request, reply, tenantOf(principal, address))
    enforce(reply, await charge(request, principal, rate))
    if (spec.access.kind === 'actor' && spec.access.center === 'addressed') {
      principal = await authenticate.inCenter(
        principal as ActorPrincipal,
        (request.params as { center: string }).center,
      )
    }
    authorize(spec.access, principal)
    await requireAdminPasskey({ authenticate, centers }, spec, principal)
    return principal
  }
}
