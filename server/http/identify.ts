/**
 * Before the body is read: who calls, what that is charged to, and whether it may. A call whose credential fails is
 * charged to its address, so guessing is limited too; the limit headers are on every answer whatever comes of it.
 */
import type { Operation, Surface } from '@countersign/contract/operation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../access/authenticate.ts'
import { authorize, type Principal } from '../access/principal.ts'
import type { Config } from '../config.ts'
import { Problem } from '../lib/problem.ts'
import type { RateLimits, Verdict } from './rate-limit.ts'

export function showLimit(reply: FastifyReply, { limit, remaining, resetAt }: Verdict): void {
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', resetAt)
}

export function enforce(reply: FastifyReply, verdict: Verdict): void {
  showLimit(reply, verdict)
  if (verdict.allowed) return
  throw new Problem('RATE_LIMITED', `Too many requests; wait ${verdict.retryAfter} seconds.`, {
    retryAfter: verdict.retryAfter,
  })
}

/** An IPv6 customer holds a whole /64 and could change the address with every request. */
export function addressKey(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address.replace('::ffff:', '')
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) while (groups.length < 4) groups.push('0')
  return `${groups.slice(0, 4).join(':')}::/64`
}

const bearer = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

const unsafe = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

export type Identify = (operation: Operation, request: FastifyRequest, reply: FastifyReply) => Promise<Principal | null>

export function identify(config: Config, limits: RateLimits, authenticate: Authenticator): Identify {
  const ownOrigin = new URL(config.publicUrl).origin

  async function actor(request: FastifyRequest): Promise<Principal> {
    const token = bearer(request)
    if (token) return authenticate.actor(token)
    const cookie = request.headers.authorization === undefined ? request.cookies.auth_token : undefined
    if (!cookie) throw new Problem('UNAUTHORIZED', 'Sign in first: send the access token as "Authorization: Bearer".')
    const principal = await authenticate.actor(cookie)
    if (unsafe(request.method) && request.headers.origin !== ownOrigin) {
      throw new Problem('FORBIDDEN', `A change with the session cookie must come from ${ownOrigin} itself.`)
    }
    return principal
  }

  async function whoCalls(surface: Surface, request: FastifyRequest): Promise<Principal> {
    return surface === 'proof' ? authenticate.key(bearer(request) ?? '') : actor(request)
  }

  function charge(principal: Principal): Promise<Verdict> {
    if (principal.kind === 'key') return limits.consume('proof', principal.keyId, principal.rateLimit ?? undefined)
    return limits.consume(principal.isPartner ? 'partner' : 'standard', principal.actorId)
  }

  return async ({ spec, rate }, request, reply) => {
    if (rate === 'none') {
      showLimit(reply, limits.untouched('public'))
      return null
    }
    const address = addressKey(request.ip)
    if (spec.access.kind === 'public') {
      enforce(reply, await limits.consume(rate === 'login' ? 'address' : 'public', address))
      return null
    }
    let principal: Principal
    try {
      principal = await whoCalls(spec.surface, request)
    } catch (error) {
      enforce(reply, await limits.consume('public', address))
      throw error
    }
    enforce(reply, await charge(principal))
    authorize(spec.access, principal)
    return principal
  }
}
