/**
 * A request's way, once for all operations: request id, limits, credential, right, body, validation, idempotency,
 * transaction, answer. Features see only the last step.
 */
import { hash } from 'node:crypto'
import { fullPath, type Operation, type OperationSpec } from '@countersign/contract/operation.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyPrincipal, MemberPrincipal, Principal } from '../access/principal.ts'
import type { Caller } from '../data/directory.ts'
import type { Services } from '../services.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { type Answer, fingerprintOf, type IdempotentRequest, once, readIdempotencyKey } from './idempotency.ts'
import { addressKey, enforce, identify } from './identify.ts'
import type { Context, Page, Reply, Route } from './route.ts'
import { renderProblem } from './surface.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

type Serialize = (payload: unknown) => string

export function mount(app: FastifyInstance, services: Services, routes: readonly Route[]): void {
  const whoMay = identify(services.config, services.limits, services.authenticate)
  for (const route of routes) {
    const { operation } = route
    const { spec } = operation
    app.route({
      method: spec.method,
      url: fullPath(spec).replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: schemaOf(operation),
      onRequest: async (request, reply) => {
        request.principal = await whoMay(operation, request, reply)
      },
      handler: (request, reply) => answer(services, route, request, reply),
    })
  }
}

function schemaOf({ spec, bodies }: Operation) {
  return {
    ...(spec.params && { params: spec.params }),
    ...(spec.query && { querystring: spec.query }),
    ...(spec.body && { body: spec.body }),
    response: Object.fromEntries(Object.entries(bodies).filter(([, schema]) => schema !== null)),
  }
}

async function answer(services: Services, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { operation } = route
  const { principal } = request
  const context = {
    params: request.params,
    query: request.query,
    body: request.body,
    principal,
    requestId: request.id,
    client: { address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    cookie: (name: string) => readCookie(request, name),
  }
  if (operation.rate === 'login' || operation.rate === 'entry')
    return answerEntry(services, route, context, request, reply)
  const caller = callerOf(request, principal)
  const key = operation.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : null
  if (key !== null) return answerOnce(services, route, context, caller, key, request, reply)
  const result = await inStore(services, operation.spec, caller, principal, (store) =>
    route.handle(Object.assign(context, store) as unknown as Context<OperationSpec>),
  )
  return send(services, operation, result, request, reply)
}

/** Ways in are counted per account and address once the body tells the account; a successful login clears the count. */
async function answerEntry(
  services: Services,
  route: Route,
  context: object,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const account = `${route.operation.id} ${accountOf(request.body)} ${addressKey(request.ip)}`
  enforce(reply, await services.limits.consume('login', account))
  const result = await inStore(services, route.operation.spec, callerOf(request, null), null, (store) =>
    route.handle({ ...context, ...store } as unknown as Context<OperationSpec>),
  )
  if (route.operation.rate === 'login') await services.limits.clear('login', account)
  return send(services, route.operation, result, request, reply)
}

/** A mailed token stands for the account it was mailed to; its digest, so that no counter holds a secret. */
function accountOf(body: unknown): string {
  const { email, phone, token } = body as { email?: string; phone?: string; token?: string }
  if (token !== undefined) return hash('sha256', token, 'base64')
  return (email ?? phone ?? '').normalize('NFKC').trim().toLowerCase()
}

function callerOf(request: FastifyRequest, principal: Principal | null): Caller {
  if (principal?.kind === 'key')
    return { requestId: request.id, actorId: principal.keyId, centerId: principal.centerId }
  return { requestId: request.id, actorId: principal?.actorId ?? null, centerId: principal?.entered?.centerId ?? 0 }
}

type StoreWork = (store: object) => Promise<Reply> | Reply

async function inStore(
  services: Services,
  spec: OperationSpec,
  caller: Caller,
  principal: Principal | null,
  work: StoreWork,
): Promise<Reply> {
  switch (spec.store) {
    case 'identity':
      return work({
        identity: <T>(run: Parameters<typeof services.directory.identity<T>>[1]) =>
          services.directory.identity(caller, run),
      })
    case 'directory':
      return services.directory.asCenter(caller, async (tx) => work({ tx }))
    case 'cell':
      return services.cells.of(cellOf(principal)).inTenant(caller, async (tx) => work({ tx }))
    case 'batched':
      return work({ tx: null })
    default:
      return work({})
  }
}

const cellOf = (principal: Principal | null): string =>
  principal?.kind === 'key' ? principal.cell : (principal as MemberPrincipal).entered.cell

/** With an Idempotency-Key: claim, effect and stored answer are one transaction of the operation's own store. */
async function answerOnce(
  services: Services,
  route: Route,
  context: object,
  caller: Caller,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { operation } = route
  const { principal } = context as { principal: MemberPrincipal | KeyPrincipal }
  const path = request.url.split('?')[0] as string
  const idempotent: IdempotentRequest = {
    key,
    principal: caller.actorId as string,
    method: request.method,
    path,
    fingerprint: fingerprintOf({ body: request.body ?? null, url: request.url }),
    showsSecret: operation.spec.showsSecret ?? false,
  }
  const claim = (tx: Parameters<typeof once>[0]) =>
    once(
      tx,
      idempotent,
      services.box,
      async () => {
        const result = await route.handle({ ...context, tx } as unknown as Context<OperationSpec>)
        return {
          status: result.status,
          body: serializer(operation, result.status, request, reply)(wrap(operation, result, request)),
        }
      },
      (problem): Answer => {
        const { status, body } = renderProblem(operation.spec.surface, problem, request.id)
        return { status, body: JSON.stringify(body) }
      },
    )
  const { answer: stored, replayed } =
    operation.spec.store === 'directory'
      ? await services.directory.asCenter(caller, claim)
      : await services.cells.of(cellOf(principal)).inTenant(caller, claim)
  if (replayed) reply.header('idempotency-replayed', 'true')
  reply.code(stored.status)
  if (stored.body === '') return reply.send()
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(stored.body)
}

function serializer(operation: Operation, status: number, _request: FastifyRequest, reply: FastifyReply): Serialize {
  if (operation.bodies[status] == null) return () => ''
  const compiled = reply.getSerializationFunction(String(status)) as Serialize | undefined
  return compiled ?? JSON.stringify
}

/** The payload in the envelope of its surface; fields the contract does not declare are dropped by the serializer. */
function wrap({ spec, envelope }: Operation, { payload }: Reply, request: FastifyRequest): unknown {
  if (envelope === 'bare' || payload === null) return payload
  if (envelope === 'data') return spec.surface === 'proof' ? { data: payload } : { success: true, data: payload }
  const { items, total } = payload as Page<unknown>
  const query = request.query as { limit: number; offset: number; page: number }
  const { limit } = query
  if (spec.surface === 'proof') {
    const { offset } = query
    return { data: items, pagination: { total, limit, offset, hasMore: offset + items.length < total } }
  }
  const { page } = query
  const totalPages = Math.ceil(total / limit)
  return {
    success: true,
    data: items,
    pagination: { page, limit, total, totalPages, hasMore: page < totalPages },
    meta: { page, total },
  }
}

function send(services: Services, operation: Operation, result: Reply, request: FastifyRequest, reply: FastifyReply) {
  for (const each of result.cookies) writeCookie(reply, each, services.config.production)
  reply.code(result.status)
  if (operation.bodies[result.status] === undefined) {
    throw new Error(`operation ${operation.id} answered ${result.status}, which it does not declare`)
  }
  return result.payload === null ? reply.send() : reply.send(wrap(operation, result, request))
}
