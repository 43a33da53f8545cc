/** Turns a handler's reply into a response, or into the stored answer of an Idempotency-Key. */
import { Readable } from 'node:stream'
import type { Operation, OperationSpec } from '@countersign/contract/operation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoredAnswer } from '../idempotency/idempotency.ts'
import type { Problem } from '../lib/problem.ts'
import { writeCookie } from './cookies.ts'
import type { HtmlPage, Page, Reply } from './route.ts'
import type { RequestScope } from './scope.ts'
import { renderProblem } from './surface.ts'

type Serialize = (payload: unknown) => string

function serializer(operation: Operation, status: number, reply: FastifyReply): Serialize {
  if (operation.bodies[status] == null) return () => ''
  const compiled = reply.getSerializationFunction(String(status)) as Serialize | undefined
  return compiled ?? JSON.stringify
}

/** The payload in the envelope of its surface; the serializer drops fields that the contract does not declare. */
function wrap({ spec, envelope }: Operation, { payload }: Reply, request: FastifyRequest): unknown {
  if (envelope === 'bare' || payload === null) return payload
  if (envelope === 'data') return spec.surface === 'proof' ? { data: payload } : { success: true, data: payload }
  const { items, total, nextCursor, counts } = payload as Page<unknown>
  const cursor = nextCursor !== undefined && { hasMore: nextCursor !== null, nextCursor }
  const query = request.query as { limit: number; offset: number; page: number }
  const { limit } = query
  if (spec.surface === 'proof') {
    const { offset } = query
    return { data: items, pagination: { total, limit, offset, hasMore: offset + items.length < total, ...cursor } }
  }
  const { page } = query
  const totalPages = Math.ceil(total / limit)
  return {
    success: true,
    data: items,
    pagination: { page, limit, total, totalPages, hasMore: page < totalPages, ...cursor },
    meta: { page, total },
    ...(counts !== undefined && { counts }),
  }
}

export function send({ needs, operation, request, reply }: RequestScope, result: Reply) {
  for (const each of result.cookies) writeCookie(reply, each, needs.config.production)
  reply.code(result.status)
  if (operation.spec.page) reply.header('vary', 'accept')
  if (result.page) return sendPage(result.page, reply)
  if (operation.bodies[result.status] === undefined) {
    throw new Error(`operation ${operation.id} answered ${result.status}, which it does not declare`)
  }
  if (result.payload === null) return reply.send()
  const { contentType } = operation.spec
  if (contentType)
    reply.header('content-type', contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType)
  if (isStream(contentType)) {
    const parts = result.payload as AsyncIterable<string | Uint8Array>
    return reply.send(Readable.from(request.tenant === null ? parts : needs.reads.stream(request.tenant, parts)))
  }
  // With a custom serializer Fastify keeps the content type, without a charset that JSON-LD does not define.
  if (contentType) reply.serializer(serializer(operation, result.status, reply))
  return reply.send(wrap(operation, result, request))
}

/** Text or bytes that are sent as they are made, and not serialized by a schema. */
export const isStream = (contentType: OperationSpec['contentType']): boolean =>
  contentType !== undefined && contentType !== 'application/ld+json'

export const sendPage = ({ html, contentSecurityPolicy }: HtmlPage, reply: FastifyReply) =>
  reply
    .header('content-security-policy', contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(html)

export function sendStored(stored: StoredAnswer, replayed: boolean, reply: FastifyReply) {
  if (replayed) reply.header('idempotency-replayed', 'true')
  reply.code(stored.status)
  if (stored.body === '') return reply.send()
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(stored.body)
}

/** The answer as the text that is stored for an Idempotency-Key. */
export const inWriting = ({ operation, request, reply }: RequestScope) => ({
  reply: (result: Reply): StoredAnswer => ({
    status: result.status,
    body: serializer(operation, result.status, reply)(wrap(operation, result, request)),
  }),
  refusal: (problem: Problem): StoredAnswer => {
    const { status, body } = renderProblem(operation.spec.surface, problem, request.id)
    return { status, body: JSON.stringify(body) }
  },
})
