/** The trace of each request: what the caller sent, and the span of the server. */
import { type TraceParent, traceParentOf } from '@countersign/contract/trace-context.ts'
import type { FastifyInstance } from 'fastify'
import type { Span, Tracing } from '../lib/tracing.ts'
import { placeOf } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the caller. */
    trace: TraceParent | null
    span: Span | null
  }
}

export function traceRequests(http: FastifyInstance, tracing: Tracing): void {
  http.decorateRequest('trace', null)
  http.decorateRequest('span', null)
  http.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request
    request.trace = headers.traceparent === undefined ? null : traceParentOf(headers.traceparent)
    const route = routeOptions.url ?? 'unknown'
    // A stream stays open for hours: its span would say nothing.
    if (!('longLived' in routeOptions.config)) {
      const attributes = { 'http.request.method': method, 'http.route': route }
      request.span = tracing.start('server', `${method} ${route}`, attributes, request.trace)
    }
    done()
  })
  http.addHook('onResponse', ({ id, span, failure, principal, routeOptions }, { statusCode }, done) => {
    if (span) {
      const { operation } = routeOptions.config
      const place = Object.entries(placeOf(principal)).map(([name, value]) => [`countersign.${name}`, value])
      const attributes = {
        'http.response.status_code': statusCode,
        'countersign.request_id': id,
        ...(operation && { 'countersign.operation': operation }),
        ...(failure && { 'countersign.error_code': failure.code }),
        ...Object.fromEntries(place),
      }
      span.end(attributes, statusCode >= 500 ? (failure?.code ?? String(statusCode)) : null)
    }
    done()
  })
}
