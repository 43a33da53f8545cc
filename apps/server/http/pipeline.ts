/**
 * The steps of a request, the same for all operations: request id, limits, credential, authorization, body, validation,
 * idempotency, transaction, answer. A feature implements only the handler.
 */
import { hash } from 'node:crypto'
import {
  type Access,
  fullPath,
  needsStepUp,
  type Operation,
  type StepUp,
  stepUpMinutes,
} from '@countersign/contract/operation.ts'
import { featureOf, isUse } from '@countersign/contract/promises.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type ActorPrincipal,
  type CenterPrincipal,
  cellOf,
  centerOf,
  type PartnerPrincipal,
  type Principal,
} from '../access/principal.ts'
import { requireFeature } from '../access/promises.ts'
import { isRecent, isRecentByPasskey } from '../access/step-up.ts'
import { fingerprintOf, type IdempotentRequest, once, readIdempotencyKey } from '../idempotency/idempotency.ts'
import type { RecordTx } from '../idempotency/queries.ts'
import { failpoint } from '../lib/failpoint.ts'
import { clientClosed, Problem, passkeyNeeded, stepUpNeeded } from '../lib/problem.ts'
import { centerThatAsks } from './admin-passkey.ts'
import { inWriting, isStream, send, sendStored } from './answering.ts'
import { notFound } from './failures.ts'
import { addressKey, enforce, identify, publicTiers } from './identify.ts'
import type { Tier } from './rate-limit.ts'
import { type AnyContext, makeReply, type Reply, type Route } from './route.ts'
import { openScope, type PipelineNeeds, type RequestScope } from './scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
  interface FastifyContextConfig {
    /** The id of the operation; pages and files have none. */
    operation?: string
    /** Whether the body may be YAML. */
    yaml?: boolean
  }
}

export function mount(app: FastifyInstance, needs: PipelineNeeds, routes: readonly Route[]): void {
  const whoMay = identify(needs)
  for (const { operations, handler } of routes) for (const operation of operations) place(operation, handler)

  function place(operation: Operation, handler: Route['handler']): void {
    const { spec } = operation
    const handle: RequestScope['handle'] = (context) => handler(context, makeReply)
    const feature = featureOf(operation.id)
    app.route({
      method: spec.method,
      url: fullPath(spec).replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: schemaOf(operation),
      config: { operation: operation.id, ...(spec.yaml && { yaml: true }) },
      onRequest: async (request, reply) => {
        // What reads needs no clock that others agree with.
        if (spec.method !== 'GET') needs.clock.require()
        request.principal = await whoMay(operation, request, reply)
        if (feature && isUse(feature, {}))
          requireFeature(feature, await centerOf(needs.centers, request.principal as CenterPrincipal))
        // The router matches `/things/` with an empty id; without the slash it is another operation.
        if (spec.params && Object.values(request.params as object).includes('')) throw notFound()
        const waiting = needs.admission.admitBody(request, reply)
        if (waiting) await waiting
      },
      preHandler: [
        ...(feature && !isUse(feature, {})
          ? [
              async (request: FastifyRequest) => {
                if (isUse(feature, request.body))
                  requireFeature(feature, await centerOf(needs.centers, request.principal as CenterPrincipal))
              },
            ]
          : []),
        ...(spec.stepUp ? [requireStepUp(needs, spec.access, spec.stepUp)] : []),
      ],
      handler: (request, reply) => {
        const scope = openScope(needs, operation, handle, request, reply)
        return answer(scope).catch((error: unknown) => explained(scope, error))
      },
      ...(spec.store === 'sequenced' && {
        onResponse: (_request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
          failpoint('seal.sent')
          done()
        },
      }),
    })
  }
}

/** Before an Idempotency-Key is looked at: the same request, repeated after the step-up, is not a replay of the refusal. */
const requireStepUp =
  (needs: PipelineNeeds, access: Access, stepUp: StepUp) =>
  async ({ principal, body }: FastifyRequest): Promise<void> => {
    if (!needsStepUp(stepUp, body)) return
    const person = principal as ActorPrincipal
    const byPasskey = (await centerThatAsks(needs, access, person)) !== null
    const recent = byPasskey ? isRecentByPasskey : isRecent
    const { within } = stepUp
    if (recent(person.proofs, within) || recent(await needs.authenticate.proofs(person), within)) return
    const minutes = stepUpMinutes[within]
    throw byPasskey
      ? passkeyNeeded(`To do this in this center, you must have used a passkey within the last ${minutes} minutes.`)
      : stepUpNeeded(
          `For security, you must have confirmed your identity within the last ${minutes} minutes to do this.`,
        )
  }

function schemaOf({ spec, query, bodies }: Operation) {
  return {
    ...(spec.params && { params: spec.params }),
    ...(query && { querystring: query }),
    ...(spec.body && { body: spec.body }),
    ...(!isStream(spec.contentType) && {
      response: Object.fromEntries(Object.entries(bodies).filter(([, schema]) => schema !== null)),
    }),
  }
}

/** A record that is not there may be one that was lost. */
async function explained(
  { needs, operation, principal, caller, params }: RequestScope,
  error: unknown,
): Promise<never> {
  const isMissing = error instanceof Problem && error.code === 'NOT_FOUND' && operation.spec.params !== undefined
  if (!isMissing || caller.centerId === 0) throw error
  const ids = Object.values(params as object).filter((value) => typeof value === 'string')
  throw await needs.explainMissing(
    { cell: cellOf(principal as CenterPrincipal), centerId: caller.centerId, ids },
    error,
  )
}

async function answer(scope: RequestScope) {
  const { operation, request } = scope
  const charged = publicTiers[operation.rate]
  if (charged !== undefined) return answerEntry(scope, charged)
  if (operation.spec.store === 'sequenced') return answerInOrder(scope)
  const key = operation.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : null
  if (key !== null) return answerOnce(scope, key)
  const isLong = operation.envelope === 'page' || operation.id.startsWith('search.')
  if (isLong && request.tenant !== null) return answerInTurn(scope, request.tenant)
  return send(scope, await inStore(scope))
}

/** A list: it is read and written as text in the turn of its tenant, and sent after it. */
async function answerInTurn(scope: RequestScope, tenant: string) {
  const { needs, reply } = scope
  const left = new AbortController()
  const leave = () => left.abort(clientClosed())
  reply.raw.once('close', leave)
  try {
    await needs.reads.list(tenant, left.signal, async () => {
      send(scope, await inStore(scope))
      return Number(reply.getHeader('content-length') ?? 0)
    })
  } finally {
    reply.raw.off('close', leave)
  }
  return reply
}

/**
 * Sign-in counts per account and address, a token in the body by itself, after the body is read. A success that identifies
 * the caller does not count: neither by the credential nor by the address, which a whole school may share.
 */
async function answerEntry(scope: RequestScope, charged: Tier) {
  const { needs, operation, request, reply } = scope
  const { rate, id } = operation
  const address = addressKey(request.ip)
  const body = (request.body ?? {}) as object
  // Without a body the credential is the cookie.
  const named = rate === 'token' && request.body == null ? { token: scope.cookie('refresh_token') ?? '' } : body
  // Who is signed in counts as that person, wherever they are.
  const person = scope.principal?.actorId
  const account =
    person !== undefined
      ? `${id} ${person}`
      : rate === 'token'
        ? `${id} ${accountOf(named)}`
        : `${id} ${accountOf(named)} ${address}`
  const tier = rate === 'token' ? 'public' : 'login'
  enforce(reply, await needs.limits.consume(tier, account))
  const result = await inStore(scope)
  const { limits } = needs
  if (person !== undefined) await limits.clear(tier, account)
  else if (rate !== 'entry') await Promise.all([limits.clear(tier, account), limits.refund(charged, address)])
  else if (tokenIn(body) !== undefined) await limits.refund(charged, address)
  return send(scope, result)
}

const tokenIn = (body: unknown): string | undefined => {
  const { token, refreshToken, ticket, query } = body as Partial<
    Record<'token' | 'refreshToken' | 'ticket' | 'query', string>
  >
  return token ?? refreshToken ?? ticket ?? query
}

/**
 * A mailed token counts as the account it was mailed to, a passkey as the account it belongs to; the digest is used, so
 * that no counter holds a secret.
 */
function accountOf(body: unknown): string {
  const { email, phone, assertion } = body as { email?: string; phone?: string; assertion?: { id: string } }
  const token = tokenIn(body) ?? assertion?.id
  if (token !== undefined) return hash('sha256', token, 'base64')
  return (email ?? phone ?? '').normalize('NFKC').trim().toLowerCase()
}

/** The handler, with what the operation's store provides. */
async function inStore(scope: RequestScope): Promise<Reply> {
  const { needs, operation, caller } = scope
  switch (operation.spec.store) {
    case 'identity': {
      const identity: AnyContext['identity'] = (work, mode) => needs.directory.identity(caller, work, mode)
      return scope.handle(Object.assign(scope, { identity }))
    }
    case 'none':
    case 'batched':
      return scope.handle(scope)
    default:
      return inTransaction(scope, async () => scope.handle(scope))
  }
}

/** The transaction that the operation's store promises. It may run the work again after a serialization failure or deadlock. */
function inTransaction<T>(scope: RequestScope, work: (tx: RecordTx) => Promise<T>): Promise<T> {
  const { needs, caller, principal } = scope
  const { store, method } = scope.operation.spec
  const mode = method === 'GET' ? 'read' : 'write'
  const run = (tx: RecordTx): Promise<T> => {
    scope.tx = tx
    return work(tx)
  }
  if (store === 'directory') {
    const inCenter = () => needs.directory.asCenter(caller, run, mode)
    return mode === 'read' || caller.centerId === 0 ? inCenter() : needs.admission.inTurn(caller.centerId, inCenter)
  }
  if (store === 'partner')
    return needs.directory.asPartner(caller, (principal as PartnerPrincipal).partner.id, run, mode)
  return needs.cells.of(cellOf(principal as CenterPrincipal)).inTenant(caller, run, mode)
}

/** With an Idempotency-Key: claim, effect and stored answer are one transaction of the operation's own store. */
async function answerOnce(scope: RequestScope, key: string) {
  const written = inWriting(scope)
  const { answer: stored, replayed } = await inTransaction(scope, (tx) =>
    once(
      tx,
      idempotentRequest(scope, key),
      scope.needs.box,
      async () => written.reply(await scope.handle(scope)),
      written.refusal,
    ),
  )
  return sendStored(stored, replayed, scope.reply)
}

/** Sealing: the sequencer commits the effect, the Idempotency-Key record and its answer together. */
async function answerInOrder(scope: RequestScope) {
  const { needs, operation, principal, caller, request, reply } = scope
  const { idempotency } = operation.spec
  const sent = operation.idempotent || idempotency === 'own' ? request.headers['idempotency-key'] : undefined
  const idempotencyKey = readIdempotencyKey(sent)
  const key = operation.idempotent ? idempotencyKey : null
  const written = inWriting(scope)
  const center = principal?.kind === 'key' ? principal.center : await needs.centers.profile(caller.centerId)
  const bytes = request.bodyBytes
  const sequence: NonNullable<AnyContext['sequence']> = async (item, respond) => {
    const claim =
      key === null
        ? undefined
        : {
            request: idempotentRequest(scope, key),
            render: (result: Parameters<typeof respond>[0]) => written.reply(respond(result)),
            refuse: written.refusal,
          }
    const outcome = await needs.sequencer.seal({ bytes, ...item, center, caller }, claim)
    if ('replay' in outcome) return { ...makeReply(outcome.replay.status, null), stored: outcome.replay }
    return respond(outcome.result)
  }
  const result = await scope.handle(Object.assign(scope, { center, idempotencyKey, sequence }))
  failpoint('seal.answering')
  return result.stored ? sendStored(result.stored, true, reply) : send(scope, result)
}

function idempotentRequest({ operation, caller, request }: RequestScope, key: string): IdempotentRequest {
  return {
    key,
    principal: caller.actorId as string,
    method: request.method,
    path: request.url.split('?')[0] as string,
    fingerprint: fingerprintOf({ body: request.body ?? null, url: request.url }),
    showsSecret: operation.spec.showsSecret ?? false,
  }
}
