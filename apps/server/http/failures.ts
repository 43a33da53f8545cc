/** Every failure gets the error format of its surface and the headers of every answer. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { newId } from '../lib/ids.ts'
import { Problem } from '../lib/problem.ts'
import { limitHeaders, showLimit } from './identify.ts'
import { wantsPage } from './preferences.ts'
import type { RateLimits } from './rate-limit.ts'
import type { HtmlPage } from './route.ts'
import { renderProblem, surfaceOf } from './surface.ts'
import { validationProblem } from './validation.ts'

/** The same on every answer. The API sends no documents, so a browser may load nothing. */
export const secureHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cache-control': 'no-store',
}

/** Nothing has the address: a browser is shown a page. */
class UnknownAddress extends Problem {
  constructor() {
    super('NOT_FOUND', "There's nothing at this address. Check it against the API reference at /docs/reference/api.")
  }
}

export const notFound = (): Problem => new UnknownAddress()

export interface Failures {
  /** A request that was routed, or that matched no route. */
  answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>
  /** An address that the router could not parse; no hook has run for the request. */
  answerUnrouted(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void
  /** Bytes that are not an HTTP request. */
  answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void
}

/** `unknownPage`: for a browser at an address that nothing has. */
export function failures(
  limits: RateLimits,
  log: Logger,
  bodyLimit: number,
  unknownPage: () => Promise<HtmlPage>,
): Failures {
  async function sendPage(problem: Problem, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = await unknownPage().catch(() => null)
    if (page === null) return send(problem, request.url, request, reply)
    request.failure = new Problem('NOT_FOUND', "There's nothing at this address. Check the spelling.")
    if (!reply.hasHeader('x-ratelimit-limit')) showLimit(reply, limits.untouched('public'))
    const { html, contentSecurityPolicy } = page
    return reply
      .code(404)
      .header('content-security-policy', contentSecurityPolicy)
      .header('vary', 'accept')
      .type('text/html; charset=utf-8')
      .serializer((page: string) => page)
      .send(html)
  }

  function send(problem: Problem, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, body, code } = renderProblem(surfaceOf(path), problem, request.id)
    request.failure = problem
    reply.header('link', `</docs/reference/errors#${code}>; rel="help"`)
    if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter)
    if (!reply.hasHeader('x-ratelimit-limit')) showLimit(reply, limits.untouched('public'))
    return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  }

  return {
    answer(error, request, reply) {
      // The route's own path where there is one, because an address may contain escapes.
      const path = request.routeOptions.url ?? request.url
      const problem = problemOf(error, path, bodyLimit)
      const reads = request.method === 'GET' || request.method === 'HEAD'
      if (problem instanceof UnknownAddress && reads && wantsPage(request.headers.accept))
        return sendPage(problem, request, reply)
      const sent = send(problem, path, request, reply)
      if (sent.statusCode >= 500 && sent.statusCode !== 503)
        log.error({ err: problem.cause ?? error, requestId: request.id }, 'request failed')
      return sent
    },
    answerUnrouted(error, request, reply) {
      reply.header('x-request-id', request.id).headers(secureHeaders)
      const tooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      const problem = tooLong
        ? notFound()
        : new Problem('BAD_REQUEST', "The address isn't valid. Check its percent-encoding.")
      send(problem, request.url, request, reply)
    },
    answerUnreadable(error, socket) {
      if (error.code !== 'ECONNRESET' && socket.writable) {
        const requestId = newId('request')
        const { status, body } = renderProblem('root', unreadable(error.code), requestId)
        const text = JSON.stringify(body)
        const headers = {
          ...secureHeaders,
          ...limitHeaders(limits.untouched('public')),
          'x-request-id': requestId,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
          connection: 'close',
        }
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
      }
      socket.destroySoon()
    },
  }
}

function unreadable(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('BAD_REQUEST', "The request didn't arrive in time. Send it again.", { status: 408 })
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('BAD_REQUEST', 'The headers are larger than 16 KiB. Send fewer or shorter headers.', {
      status: 431,
    })
  return new Problem('BAD_REQUEST', "This isn't a valid HTTP request. Check the client that sent it.")
}

export const unsupportedType = (): Problem =>
  new Problem('BAD_REQUEST', "The body's content type isn't supported. Send the body as application/json.")

function problemOf(error: FastifyError, path: string, bodyLimit: number): Problem {
  if (error instanceof Problem) return error
  if (error.validation) return validationProblem(surfaceOf(path), error.validation as never)
  if (error.statusCode === 413) {
    return new Problem('BAD_REQUEST', `The body is larger than ${bodyLimit / 1024} KiB. Send a smaller one.`, {
      status: 413,
    })
  }
  if (error.statusCode === 415) return unsupportedType()
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Problem('BAD_REQUEST', "The request couldn't be read. Check its headers and body.", { status: 400 })
  return new Problem(
    'INTERNAL_ERROR',
    "Something went wrong on our side. It's safe to try again with the same idempotency key.",
    { cause: error },
  )
}
