/**
 * A request's way, once for all operations: request id, limits, credential, right, body, validation, idempotency,
 * transaction, answer. Features see only the last step.
 */
import { hash } from 'node:crypto'
import { fullPath, type Operation, type OperationSpec } from '@countersign/contract/operation.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MemberPrincipal, PartnerPrincipal, Principal } from '../access/principal.ts'
import type { Caller } from '../data/directory.ts'
import type { Mode } from '../data/transaction.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { Item } from '../sealing/item.ts'
import type { Services } from '../services.ts'
import { inWriting, send, sendStored } from './answering.ts'
import { readCookie } from './cookies.ts'
import { fingerprintOf, type IdempotentRequest, once, readIdempotencyKey } from './idempotency.ts'
import type { RecordTx } from './idempotency-queries.ts'
import { addressKey, enforce, identify } from './identify.ts'
import { type Context, makeReply, type Reply, type Route } from './route.ts'
import { wantsPage } from './wants-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

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
      ...(spec.store === 'sequenced' && {
        onResponse: (_request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
          failpoint('seal.sent')
          done()
        },
      }),
    })
  }
}

function schemaOf({ spec, bodies }: Operation) {
  return {
    ...(spec.params && { params: spec.params }),
    ...(spec.query && { querystring: spec.query }),
    ...(spec.body && { body: spec.body }),
    ...(spec.contentType !== 'application/x-ndjson' && {
      response: Object.fromEntries(Object.entries(bodies).filter(([, schema]) => schema !== null)),
    }),
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
    wantsPage: operation.spec.page === true && wantsPage(request.headers.accept),
  }
  if (operation.rate === 'login' || operation.rate === 'entry')
    return answerEntry(services, route, context, request, reply)
  const caller = callerOf(request, operation.spec, principal)
  if (operation.spec.store === 'sequenced') return answerInOrder(services, route, context, caller, request, reply)
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
  const result = await inStore(
    services,
    route.operation.spec,
    callerOf(request, route.operation.spec, null),
    null,
    (store) => route.handle({ ...context, ...store } as unknown as Context<OperationSpec>),
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

function callerOf(request: FastifyRequest, { access }: OperationSpec, principal: Principal | null): Caller {
  if (principal?.kind === 'key')
    return { requestId: request.id, actorId: principal.keyId, centerId: principal.centerId }
  // A partner or an operator acts as such, in no center, whatever their session has entered.
  const centerId = access.kind === 'actor' ? (principal?.entered?.centerId ?? 0) : 0
  return { requestId: request.id, actorId: principal?.actorId ?? null, centerId }
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
        identity: <T>(run: Parameters<typeof services.directory.identity<T>>[1], mode?: Mode) =>
          services.directory.identity(caller, run, mode),
      })
    case 'none':
      return work({})
    case 'batched':
      return work({ tx: null })
    default:
      return inTransaction(services, spec, caller, principal, async (tx) => work({ tx }))
  }
}

/** The transaction that the operation's store promises. */
function inTransaction<T>(
  services: Services,
  { store, method }: OperationSpec,
  caller: Caller,
  principal: Principal | null,
  work: (tx: RecordTx) => Promise<T>,
): Promise<T> {
  const mode = method === 'GET' ? 'read' : 'write'
  if (store === 'directory') return services.directory.asCenter(caller, work, mode)
  if (store === 'partner')
    return services.directory.asPartner(caller, (principal as PartnerPrincipal).partner.id, work, mode)
  return services.cells.of(cellOf(principal)).inTenant(caller, work, mode)
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
  const written = inWriting(operation, request, reply)
  const claim = (tx: RecordTx) =>
    once(
      tx,
      idempotentRequest(operation, caller, key, request),
      services.box,
      async () => written.reply(await route.handle({ ...context, tx } as unknown as Context<OperationSpec>)),
      written.refusal,
    )
  const { answer: stored, replayed } = await inTransaction(services, operation.spec, caller, request.principal, claim)
  return sendStored(stored, replayed, reply)
}

/** Sealing: the effect, the record of an Idempotency-Key and its answer are committed by the sequencer together. */
async function answerInOrder(
  services: Services,
  route: Route,
  context: object,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { operation } = route
  const { idempotency } = operation.spec
  const sent = operation.idempotent || idempotency === 'own' ? request.headers['idempotency-key'] : undefined
  const idempotencyKey = readIdempotencyKey(sent)
  const key = operation.idempotent ? idempotencyKey : null
  const written = inWriting(operation, request, reply)
  const center = await services.centers.profile(caller.centerId)
  const sequence = async <T>(item: Pick<Item<T>, 'holds' | 'judge'>, respond: (result: T) => Reply): Promise<Reply> => {
    const claim =
      key === null
        ? undefined
        : {
            request: idempotentRequest(operation, caller, key, request),
            render: (result: T) => written.reply(respond(result)),
            refuse: written.refusal,
          }
    const outcome = await services.sequencer.seal({ ...item, center, caller }, claim)
    if ('replay' in outcome) return { ...makeReply(outcome.replay.status, null), stored: outcome.replay }
    return respond(outcome.result)
  }
  const handed = Object.assign(context, {
    caller,
    center,
    idempotencyKey,
    sequence,
  }) as unknown as Context<OperationSpec>
  const result = await route.handle(handed)
  failpoint('seal.answering')
  return result.stored ? sendStored(result.stored, true, reply) : send(services, operation, result, request, reply)
}

function idempotentRequest(
  { spec }: Operation,
  { actorId }: Caller,
  key: string,
  request: FastifyRequest,
): IdempotentRequest {
  return {
    key,
    principal: actorId as string,
    method: request.method,
    path: request.url.split('?')[0] as string,
    fingerprint: fingerprintOf({ body: request.body ?? null, url: request.url }),
    showsSecret: spec.showsSecret ?? false,
  }
}
