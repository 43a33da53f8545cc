/** The HTTP application: everything about a request that does not depend on its operation. */
import cors from '@fastify/cors'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance } from 'fastify'
import { mountVerifier } from './features/evidence/public-verification/routes.ts'
import { mountDocs } from './http/docs-page.ts'
import { failures, notFound, secureHeaders } from './http/failures.ts'
import { addressKey, enforce, showLimit } from './http/identify.ts'
import { readJson } from './http/json-body.ts'
import { mount } from './http/pipeline.ts'
import { bodyAjv, compileText } from './http/validation.ts'
import { newId } from './lib/ids.ts'
import { Problem } from './lib/problem.ts'
import { allRoutes } from './routes.ts'
import type { Services } from './services.ts'

const bodyLimit = 1024 * 1024

export interface App {
  readonly http: FastifyInstance
  /** From now on `/health/ready` answers 503. */
  drain(): void
}

export async function makeApp(services: Services): Promise<App> {
  const { config, limits, log, metrics } = services
  const failure = failures(limits, log, bodyLimit)
  let draining = false
  const http = Fastify({
    // Requests are logged here: Fastify would create a child logger for every request.
    logger: false,
    genReqId: () => newId('request'),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 255 },
    frameworkErrors: failure.answerUnrouted,
    clientErrorHandler: failure.answerUnreadable,
  })

  http.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? bodyAjv.compile(schema as object) : compileText(schema as object),
  )
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? {} : readJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  // Synchronous hooks take a callback: a promise per hook and request has a measurable cost.
  http.decorateRequest('principal', null)
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(secureHeaders)
    // The client should reconnect to another process.
    if (draining) reply.header('connection', 'close')
    // The CORS plugin answers preflight requests, which count against no rate limit.
    if (request.method === 'OPTIONS') showLimit(reply, limits.untouched('public'))
    done(request.url.includes('%00') ? new Problem('VALIDATION_ERROR', 'The URL contains a NUL character.') : undefined)
  })
  http.addHook('preValidation', (request, _reply, done) => {
    // A missing body is read as an empty object, so that the error lists the missing fields.
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {}
    done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    const { elapsedTime, statusCode } = reply
    metrics.observe(request.routeOptions.url ?? 'unknown', statusCode, elapsedTime / 1000)
    if (log.isLevelEnabled('debug')) {
      const { id: requestId, method, routeOptions } = request
      log.debug(
        { requestId, method, route: routeOptions.url, status: statusCode, ms: Math.round(elapsedTime) },
        'request',
      )
    }
    done()
  })

  http.setErrorHandler(failure.answer)
  http.setNotFoundHandler(async (request, reply) => {
    enforce(reply, await limits.consume('public', addressKey(request.ip)))
    throw notFound()
  })

  if (config.corsOrigins.length > 0) {
    await http.register(cors, {
      origin: [...config.corsOrigins],
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      credentials: false,
      maxAge: 600,
      exposedHeaders: [
        'x-request-id',
        'retry-after',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
      ],
    })
  }
  closeWhatFallsIdle(http)
  await shedLoad(http, config.maxInFlight)
  await mountDocs(http, limits)
  mountVerifier(http, services)
  mount(
    http,
    services,
    allRoutes(services, () => draining),
  )
  return {
    http,
    drain: () => {
      draining = true
    },
  }
}

/** A connection that is busy when closing begins would stay open afterwards, and closing would wait for it. */
function closeWhatFallsIdle(http: FastifyInstance): void {
  let sweeping: NodeJS.Timeout
  http.addHook('preClose', async () => {
    sweeping = setInterval(() => http.server.closeIdleConnections(), 50)
  })
  http.addHook('onClose', async () => clearInterval(sweeping))
}

/** Refuses requests beyond the limit with 503 and Retry-After, except health checks. */
async function shedLoad(http: FastifyInstance, maxInFlight: number): Promise<void> {
  let inFlight = 0
  const busy = () => new Problem('SERVICE_UNAVAILABLE', 'The server is busy; try again in a second.', { retryAfter: 1 })
  await http.register(underPressure, {
    maxEventLoopDelay: 1000,
    pressureHandler: (request) => {
      if (!request.url.startsWith('/health/')) throw busy()
    },
  })
  http.addHook('onRequest', (request, reply, done) => {
    inFlight++
    // Not onResponse: Fastify does not call it for aborted requests, and calls it for requests that were never counted.
    reply.raw.once('close', () => inFlight--)
    done(inFlight > maxInFlight && !request.url.startsWith('/health/') ? busy() : undefined)
  })
}
