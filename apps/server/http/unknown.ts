/** What no route answers: an address that nothing has, or a method that an address does not have. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { type Admission, tenantOf } from './admission.ts'
import { notFound } from './failures.ts'
import { addressKey, enforce } from './identify.ts'
import type { RateLimits } from './rate-limit.ts'

/** The specification lists these operations as planned and unavailable: they are unknown, whatever else has their address. */
const planned = [
  ['DELETE', '/api/partner/centers/:centerId'],
  ['POST', '/api/partner/members/invite'],
  ['POST', '/api/workflows'],
  ['PATCH', '/api/workflows/:workflowId'],
  ['DELETE', '/api/workflows/:workflowId'],
] as const

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  )

const plannedRoutes = planned.map(([method, url]) => ({ method, pattern: patternOf(url) }))

/** Call it before routes are mounted. Refuses before the body is read: it would be received and parsed for nothing. */
export function refuseUnknown(http: FastifyInstance, admitted: Admission, limits: RateLimits): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  http.addHook('onRoute', ({ method, url }) => {
    // The route of CORS for every address says nothing about one.
    if (url === '*') return
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) route.methods.add(each)
    routes.set(url, route)
  })

  function methodsOf(method: string, path: string): readonly string[] {
    if (plannedRoutes.some((each) => each.method === method && each.pattern.test(path))) return []
    const found = [...routes.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort()
  }

  const targetOf = ({ url }: FastifyRequest) => url.replace(/^https?:\/\/[^/]*/i, '').split('?')

  /** The address without the slash at its end, if it has this method. A path of two slashes would name another host. */
  function withoutSlash(request: FastifyRequest): string | null {
    const [path = '', query] = targetOf(request)
    const short = path.replace(/\/+$/, '')
    if (short === path || !/^\/[^/]/.test(short) || !methodsOf(request.method, short).includes(request.method))
      return null
    return query === undefined ? short : `${short}?${query}`
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const address = addressKey(request.ip)
    admitted.enter(request, reply, tenantOf(null, address))
    enforce(reply, await limits.consume('public', address))
    const location = withoutSlash(request)
    if (location !== null) return reply.redirect(location, 308)
    const [path = ''] = targetOf(request)
    const methods = methodsOf(request.method, path).join(', ')
    if (methods === '') throw notFound()
    reply.header('allow', methods)
    throw new Problem(
      'METHOD_NOT_ALLOWED',
      `This address doesn't accept the ${request.method} method. It accepts ${methods}.`,
    )
  }
  http.addHook('onRequest', (request, reply, done) => {
    // A reply that was sent ends the request.
    const isBare = Object.values((request.params ?? {}) as object).includes('')
    if (request.is404 || (isBare && withoutSlash(request) !== null)) refuse(request, reply).catch(done)
    else done()
  })
}
