/** route(operation, handler): a wrong status, a wrong payload or a transaction without a tenant does not compile. */
import {
  type BinaryType,
  type BodyOf,
  type Definition,
  mountsOf,
  type Operation,
  type OperationSpec,
  type ParamsOf,
  type PayloadOf,
  type QueryOf,
  type StatusOf,
  type Store,
} from '@countersign/contract/operation.ts'
import type { Static, TSchema } from 'typebox'
import type { Principal, PrincipalOf } from '../access/principal.ts'
import type { TenantTx } from '../data/cells.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import type { Caller, DirectoryTx, IdentityTx, PartnerTx } from '../data/directory.ts'
import type { TransactionMode } from '../data/transaction.ts'
import type { StoredAnswer } from '../idempotency/idempotency.ts'
import type { RecordTx } from '../idempotency/queries.ts'
import type { SealItem } from '../sealing/batch.ts'

export interface Client {
  readonly address: string
  readonly userAgent: string
}

interface StoreContexts {
  none: object
  /** Sign-in opens its own transactions: hashing must not hold one, and a refusal may have to commit. */
  identity: { readonly identity: <T>(work: (tx: IdentityTx) => Promise<T>, mode?: TransactionMode) => Promise<T> }
  directory: { readonly tx: DirectoryTx }
  partner: { readonly tx: PartnerTx }
  cell: { readonly tx: TenantTx }
  /** Without an Idempotency-Key the effect joins a batch; with one it needs a transaction that also holds the record. */
  batched: { readonly tx: TenantTx | null }
  /** No transaction of its own: the sequencer takes the item, and the answer follows the commit that contains it. */
  sequenced: {
    readonly caller: Caller
    /** Where the operation uses the key itself. */
    readonly idempotencyKey: string | null
    readonly center: CenterProfile
    readonly sequence: <T>(
      item: Pick<SealItem<T>, 'holds' | 'judge' | 'bytes'>,
      respond: (result: T) => Reply,
    ) => Promise<Reply>
  }
}

/** The context of every handler, independent of what its operation declares. */
interface RequestFacts {
  readonly requestId: string
  /** The size of the body. */
  readonly bodyBytes: number
  /** The caller's span, in the form of W3C Trace Context; null where the request names none. */
  readonly traceparent: string | null
  readonly client: Client
  /** The host that the request names, without a port. A client can write anything here. */
  readonly host: string
  readonly cookie: (name: 'last_tenant' | 'oidc_login' | 'handoff' | 'refresh_token') => string | undefined
  /** Whether the `Origin` is one of this server; a change with a cookie as its credential requires it. */
  readonly fromOwnOrigin: () => boolean
  /** Whether the refresh token of the session is in a cookie. */
  readonly byCookie: boolean
  /** Whether the caller asked for an HTML page, where the operation has one. */
  readonly wantsPage: boolean
  /** What the caller prefers of the languages that we write; null where the request names neither. */
  readonly language: 'ko' | 'en' | null
}

export type Context<S extends OperationSpec> = RequestFacts & {
  readonly params: ParamsOf<S>
  readonly query: QueryOf<S>
  readonly body: BodyOf<S>
  readonly principal: PrincipalOf<S['access']>
} & StoreContexts[S['store'] extends Store ? S['store'] : never]

/**
 * The context of any operation, as the pipeline builds it. It is the `Context` of that operation because the pipeline
 * enforces the operation's schemas, access and store before the handler runs.
 */
export interface AnyContext
  extends RequestFacts,
    Partial<StoreContexts['identity']>,
    Partial<StoreContexts['sequenced']> {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly principal: Principal | null
  readonly tx?: RecordTx | null
}

export interface Cookie {
  readonly name: 'auth_token' | 'last_tenant' | 'oidc_login' | 'handoff' | 'refresh_token'
  readonly value: string
  readonly maxAge: number
}

/** The pagination follows from exact totals; the pipeline writes it in the format of the surface. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  /** On lists with cursors: null on the last page. */
  readonly nextCursor?: string | null
  /** Where the operation declares them. */
  readonly counts?: unknown
}

/** An HTML page, sent unchanged with its own content security policy. */
export interface HtmlPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

export interface Reply {
  readonly status: number
  readonly payload: unknown
  readonly cookies: readonly Cookie[]
  /** The first answer to an Idempotency-Key, replayed unchanged. */
  readonly stored?: StoredAnswer
  /** A page in place of the payload; its status need not be declared, because the contract describes only the JSON answers. */
  readonly page?: HtmlPage
}

type CountsOf<S extends OperationSpec> = S['counts'] extends TSchema ? { readonly counts: Static<S['counts']> } : object

/** Lines as text and files as bytes, part by part: the whole stream is never in memory. */
type ReplyPayload<S extends OperationSpec, N extends StatusOf<S>> = S['contentType'] extends
  | 'application/x-ndjson'
  | 'text/csv'
  | 'text/calendar'
  ? AsyncIterable<string>
  : S['contentType'] extends BinaryType
    ? AsyncIterable<Uint8Array>
    : S['envelope'] extends 'page'
      ? Page<PayloadOf<S, N>> & CountsOf<S>
      : PayloadOf<S, N>

/** A reply that carries its operation, so that only declared statuses and payloads type-check. */
export interface ReplyTo<S extends OperationSpec> extends Reply {
  readonly for?: S
}

export type Replier<S extends OperationSpec> = <N extends StatusOf<S>>(
  status: N,
  payload: ReplyPayload<S, N>,
  cookies?: readonly Cookie[],
) => ReplyTo<S>

export type Handler<S extends OperationSpec> = (
  context: Context<S>,
  reply: Replier<S>,
) => Promise<ReplyTo<S>> | ReplyTo<S>

export interface Route {
  /** The mounts of one definition. */
  readonly operations: readonly Operation[]
  readonly handler: (context: AnyContext, reply: typeof makeReply) => Promise<Reply> | Reply
}

export const makeReply = (status: number, payload: unknown, cookies: readonly Cookie[] = []): Reply => ({
  status,
  payload,
  cookies,
})

export const pageReply = (status: number, page: HtmlPage): Reply => ({ ...makeReply(status, null), page })

export function route<S extends OperationSpec>(bound: Operation<S> | Definition<S>, handler: Handler<S>): Route {
  return { operations: mountsOf(bound), handler: handler as unknown as Route['handler'] }
}
