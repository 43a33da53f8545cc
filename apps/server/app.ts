/** The HTTP application: everything about a request that does not depend on its operation. */
import cors from '@fastify/cors'
import underPressure from '@fastify/under-pressure'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Config } from './config/config.ts'
import { mountMcp } from './features/automation/mcp/mount.ts'
import { mountStream } from './features/automation/stream/mount.ts'
import { mountLogos } from './features/centers/logos/api.ts'
import { brandOfSite } from './features/centers/partner/api.ts'
import { mountVerifier } from './features/evidence/public-verification/routes.ts'
import { type Admission, admission, bodyLimit, centerOf } from './http/admission.ts'
import { atFirstCheck, atFirstUse } from './http/compile-late.ts'
import { approvalPage, mountConsole } from './http/console.ts'
import { mountDocs } from './http/docs-page.ts'
import { failures, notFound, secureHeaders, unsupportedType } from './http/failures.ts'
import { mountFonts } from './http/fonts.ts'
import { showLimit } from './http/identify.ts'
import { mountInstallable } from './http/installable.ts'
import { bodyParser } from './http/json-body.ts'
import { mount } from './http/pipeline.ts'
import { readTurns } from './http/read-turns.ts'
import { requestLog } from './http/request-log.ts'
import { traceRequests } from './http/traces.ts'
import { refuseUnknown } from './http/unknown.ts'
import { bodyAjv, compileText } from './http/validation.ts'
import { yamlReader, yamlTypes } from './http/yaml-body.ts'
import { newId } from './lib/ids.ts'
import { Problem } from './lib/problem.ts'
import { allRoutes } from './routes.ts'
import type { Services } from './services.ts'
import { mountDevMail } from './system/dev-mail.ts'
import { type CheckReady, readiness } from './system/readiness.ts'

export interface App {
  readonly http: FastifyInstance
  readonly checkReady: CheckReady
  /** From now on `/health/ready` answers 503. */
  drain(): void
}

export async function makeApp(services: Services): Promise<App> {
  const { config, limits, log, metrics } = services
  const failure = failures(limits, log, bodyLimit, approvalPage)
  const logRequest = requestLog(log, config.logSuccesses)
  let draining = false
  const checkReady = readiness(services.directory, services.clock, () => draining)
  const http = Fastify({
    // Requests are logged here: Fastify would create a child logger for every request.
    logger: false,
    genReqId: () => newId('request'),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit,
    requestTimeout: 10_000,
    // By default Node looks for such requests every 30 seconds, and a slow body is counted until then.
    http: { connectionsCheckingInterval: 2000 },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 255 },
    frameworkErrors: failure.answerUnrouted,
    clientErrorHandler: failure.answerUnreadable,
  })

  http.setValidatorCompiler(({ schema, httpPart }) =>
    atFirstCheck(() => (httpPart === 'body' ? bodyAjv.compile(schema as object) : compileText(schema as object))),
  )
  http.setSerializerCompiler(({ schema }) => atFirstUse(() => fastJsonStringify(schema as Schema)))
  http.removeAllContentTypeParsers()
  const parseBody = bodyParser()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyBytes = body.length
    countUnstated(request, body.length)
    parseBody(request.tenant ?? '', body as Buffer, () => admitted.processing(request), done)
  })

  http.addContentTypeParser(yamlTypes, { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyBytes = body.length
    countUnstated(request, body.length)
    if (!request.routeOptions.config.yaml) {
      done(unsupportedType())
      return
    }
    void yamlReader().then((read) => {
      parseBody(request.tenant ?? '', body as Buffer, () => admitted.processing(request), done, read)
    }, done)
  })

  /** A body without a stated length counts when its length is known. */
  function countUnstated({ headers, principal }: FastifyRequest, points: number): void {
    const center = headers['transfer-encoding'] === undefined ? null : centerOf(principal)
    if (center !== null) void limits.consumeAll([{ tier: 'bodyBytes', key: String(center), points }])
  }

  // Synchronous hooks take a callback: a promise per hook and request has a measurable cost.
  http.decorateRequest('principal', null)
  http.decorateRequest('tenant', null)
  http.decorateRequest('ended', null)
  http.decorateRequest('release', null)
  http.decorateRequest('bodyBytes', 0)
  http.decorateRequest('failure', null)
  traceRequests(http, services.tracing)
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(secureHeaders)
    // The client should reconnect to another process.
    if (draining) reply.header('connection', 'close')
    // The CORS plugin answers preflight requests, which count against no rate limit.
    if (request.method === 'OPTIONS') showLimit(reply, limits.untouched('public'))
    done(
      request.url.includes('%00')
        ? new Problem('VALIDATION_ERROR', 'The URL contains a NUL character. Remove it.')
        : undefined,
    )
  })
  http.addHook('preValidation', (request, _reply, done) => {
    // A missing body is read as an empty object, so that the error lists the missing fields.
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {}
    done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    const { elapsedTime, statusCode } = reply
    const { url, config: kind } = request.routeOptions
    // The time that a stream was open is no time to an answer.
    if (!('longLived' in kind)) metrics.observe(kind.operation ?? url ?? 'unknown', statusCode, elapsedTime / 1000)
    logRequest(request, reply)
    done()
  })

  http.setErrorHandler(failure.answer)
  http.setNotFoundHandler(() => {
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
  const admitted = await shedLoad(http, config)
  refuseUnknown(http, admitted, limits)
  mountDocs(http, limits)
  mountVerifier(http, services)
  mountFonts(http, limits)
  mountConsole(http, limits)
  mountInstallable(http, limits, (host) => brandOfSite(services, host))
  mountLogos(http, limits, services.directory)
  mountDevMail(http, limits, services)
  mountMcp(http, { ...services, admission: admitted })
  mountStream(http, { ...services, admission: admitted })
  const reads = readTurns(config, admitted.isShared)
  mount(http, { ...services, admission: admitted, reads }, allRoutes(services, checkReady))
  return {
    http,
    checkReady,
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

/** Counts requests in progress. A late event loop refuses tenants that have many of them, and no others. */
async function shedLoad(http: FastifyInstance, config: Config): Promise<Admission> {
  await http.register(underPressure, { maxEventLoopDelay: 1000, pressureHandler: () => {} })
  const admitted = admission(config, () => http.isUnderPressure())
  http.addHook('onRequest', (request, reply, done) => {
    try {
      admitted.begin(request, reply)
      done()
    } catch (error) {
      done(error as Problem)
    }
  })
  return admitted
}
