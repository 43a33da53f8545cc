/** The HTTP application: everything about a request that is not about an operation. */
import cors from '@fastify/cors'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { mountDocs } from './http/docs-page.ts'
import { addressKey, enforce, showLimit } from './http/identify.ts'
import { MalformedJson, readJson } from './http/json-door.ts'
import { mount, notFound } from './http/pipeline.ts'
import { renderProblem, surfaceOf } from './http/surface.ts'
import { bodyAjv, textAjv, validationProblem } from './http/validation.ts'
import { newId } from './lib/ids.ts'
import { type Metrics, makeMetrics } from './lib/metrics.ts'
import { Problem } from './lib/problem.ts'
import { allRoutes } from './routes.ts'
import type { Services } from './services.ts'

const bodyLimit = 1024 * 1024

/** The same on every answer; the API sends no documents, so a browser that is lured here may load nothing. */
const secureHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cache-control': 'no-store',
}

export interface App {
  readonly http: FastifyInstance
  readonly metrics: Metrics
  /** From now on `/health/ready` says no. */
  drain(): void
}

export async function makeApp(services: Services): Promise<App> {
  const { config, limits, log } = services
  let draining = false
  const http = Fastify({
    // We log by ourselves: Fastify would make a child logger for every request.
    logger: false,
    genReqId: () => newId('request'),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
  })
  const metrics = makeMetrics()

  http.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? bodyAjv : textAjv).compile(schema as object),
  )
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? {} : readJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  // Hooks that do not wait take a callback: a promise for each of them, for each request, is a cost that adds up.
  http.decorateRequest('principal', null)
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(secureHeaders)
    done(
      request.url.includes('%00') ? new Problem('VALIDATION_ERROR', 'The address holds a NUL character.') : undefined,
    )
  })
  http.addHook('preValidation', (request, _reply, done) => {
    // A body that was not sent is an empty one: the caller hears which fields are missing.
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

  http.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error, request.url)
    const { status, body } = renderProblem(surfaceOf(request.url), problem, request.id)
    if (status >= 500 && status !== 503)
      log.error({ err: problem.cause ?? error, requestId: request.id }, 'request failed')
    if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter)
    if (!reply.hasHeader('x-ratelimit-limit')) showLimit(reply, limits.untouched('public'))
    return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  })
  http.setNotFoundHandler(async (request, reply) => {
    enforce(reply, await limits.consume('public', addressKey(request.ip)))
    throw notFound()
  })

  if (config.corsOrigins.length > 0) {
    await http.register(cors, {
      origin: [...config.corsOrigins],
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
  await shedLoad(http, config.maxInFlight)
  await mountDocs(http, limits)
  mount(
    http,
    services,
    allRoutes(services, () => draining),
  )
  return {
    http,
    metrics,
    drain: () => {
      draining = true
    },
  }
}

/** Better a quick «come back» than a slow answer nobody waits for. Health checks are answered all the same. */
async function shedLoad(http: FastifyInstance, maxInFlight: number): Promise<void> {
  let inFlight = 0
  const busy = () => new Problem('SERVICE_UNAVAILABLE', 'The server is busy; try again in a second.', { retryAfter: 1 })
  await http.register(underPressure, {
    maxEventLoopDelay: 1000,
    pressureHandler: (request) => {
      if (!request.url.startsWith('/health/')) throw busy()
    },
  })
  http.addHook('onRequest', (request, _reply, done) => {
    done(++inFlight > maxInFlight && !request.url.startsWith('/health/') ? busy() : undefined)
  })
  http.addHook('onResponse', (_request, _reply, done) => {
    inFlight--
    done()
  })
}

function problemOf(error: FastifyError, url: string): Problem {
  if (error instanceof Problem) return error
  if (error.validation) return validationProblem(surfaceOf(url), error.validation as never)
  if (error instanceof MalformedJson) return new Problem('BAD_REQUEST', error.message)
  if (error.statusCode === 413) {
    return new Problem('BAD_REQUEST', `The body is larger than ${bodyLimit / 1024} KiB.`, { status: 413 })
  }
  if (error.statusCode === 415) return new Problem('BAD_REQUEST', 'Send the body as application/json.')
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Problem('BAD_REQUEST', 'The request could not be read.', { status: 400 })
  return new Problem(
    'INTERNAL_ERROR',
    'Something went wrong on our side. It is safe to try again with the same idempotency key.',
    { cause: error },
  )
}
