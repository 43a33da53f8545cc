/**
 * An operation is data: its schemas, who may call it, where its effect is stored.
 * Types, validation, serialization, OpenAPI, the access matrix and the fuzzer are all derived from it,
 * so that they cannot disagree.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { closed, described, named, nullable, PageQuery } from './common.ts'
import type { ActorRole, PartnerRole, Scope } from './enums.ts'
import type { ErrorCode } from './errors.ts'
import type { Tag } from './tags.ts'

/** `platform` and `proof` differ in credential and error shape; `root` has the paths outside `/api`. */
export type Surface = 'platform' | 'proof' | 'root'

export type Access =
  | { readonly kind: 'public' }
  /**
   * A JWT or the session cookie. `required`: the caller has entered a center and is an ACTIVE member of it.
   * `if-entered`: the same, but a caller without a center is allowed. `optional`: the status does not matter,
   * so that a suspended member can still leave or switch. `addressed`: the path names the center by ID or
   * subdomain, and the caller must be an ACTIVE member of it; the operation runs in that center. `confined`: also for a
   * session that works in some centers only. Without it, such a session is refused where no center is required, because
   * it gives no right over the person's account.
   */
  | {
      readonly kind: 'actor'
      readonly center: 'required' | 'if-entered' | 'optional' | 'addressed'
      readonly roles?: readonly ActorRole[]
      readonly confined?: true
    }
  /** A JWT or the session cookie of a partner's account with one of these roles, whatever center it has entered. */
  | { readonly kind: 'partner'; readonly roles: readonly PartnerRole[] }
  /** A JWT or the session cookie of a platform operator. */
  | { readonly kind: 'operator' }
  /**
   * A center's API key that has the scope, or the other one. `bound`: also a key bound to an actor, which reaches only
   * that actor's decisions. `kept`: also a bound key from the time before such keys lost access to webhooks.
   */
  | {
      readonly kind: 'key'
      readonly scope: Scope
      readonly or?: Scope
      readonly bound?: true | 'kept'
    }

/**
 * Where the effect, its audit entry and its idempotency record commit together.
 * `identity`: the directory before a tenant is known (sign-in). `directory`: the directory, as one center.
 * `partner`: the directory, as one partner. `cell`: the center's own cell. `batched`: the cell, many callers in one
 * commit. `sequenced`: the same, in the order of the center's chains. `none`: nothing is stored.
 */
export type Store = 'none' | 'identity' | 'directory' | 'partner' | 'cell' | 'batched' | 'sequenced'

/**
 * Which counter a call is charged to; `caller` picks the tier from the credential. `management`: the standard tier, also
 * for an API key. `login` and `entry` count per account and address, and more widely per address. `token`: the credential
 * is in the body, and failures are counted per credential. Successes aren't counted, except for `entry` without a token,
 * where a success doesn't identify the caller.
 */
export type RateTier = 'caller' | 'management' | 'login' | 'entry' | 'token' | 'none'

/** `data` wraps the payload as its surface does, `page` adds pagination, `bare` sends it as it is. */
export type Envelope = 'data' | 'page' | 'bare'

export type Replies = { readonly [status: number]: TSchema | null }

export type BinaryType = 'application/octet-stream' | 'application/x-tar'

/**
 * The person must have confirmed recently that it is them: by signing in, or by a password, a passkey or their provider.
 * `rules`: within 15 minutes. `keys`: within 5. `when`: only for a body in which one of these
 * members is, or contains, one of these values.
 */
export interface StepUp {
  readonly within: 'rules' | 'keys'
  readonly when?: { readonly members: readonly string[]; readonly among: readonly string[] }
}

export const stepUpMinutes = { rules: 15, keys: 5 } as const

/** Whether a request with this body requires a recent confirmation. */
export function needsStepUp({ when }: StepUp, body: unknown): boolean {
  if (when === undefined) return true
  const given = body as Readonly<Record<string, unknown>> | null | undefined
  return when.members.flatMap((member) => given?.[member]).some((each) => when.among.includes(each as string))
}

export interface OperationSpec {
  /** `resource.verb`, such as `webhooks.rotateSecret`: clients name their methods by it. */
  readonly id: `${string}.${string}`
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the surface's base (`/api`, or the root), with `{name}` for path parameters. */
  readonly path: string
  readonly access: Access
  readonly store: Store
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly params?: TSchema
  readonly query?: TSchema
  /**
   * Lists of the specification ignore unknown query parameters. All other lists refuse them, because a misspelled filter
   * must not return everything.
   */
  readonly looseQuery?: true
  readonly body?: TSchema
  /** The body can also be YAML, as `application/yaml`. It is read by the same rules as JSON. */
  readonly yaml?: true
  /** Payload per success status; null means no body. */
  readonly replies: Replies
  readonly errors?: readonly ErrorCode[]
  /** Without a recent confirmation: 403 `FORBIDDEN` with `details.reason` `stepUp`. Never for operations of the specification. */
  readonly stepUp?: StepUp
  /** Also for an ADMIN without a passkey, where the center asks its ADMINs for one. */
  readonly evenWithoutPasskey?: true
  /** Codes that have a different status here than in the surface's table. */
  readonly also?: Readonly<Record<number, ErrorCode>>
  /**
   * Whether `Idempotency-Key` is honored; by default for every write except sign-in. `own`: the key identifies the
   * resource itself, and a repeated call returns its current state instead of the first response.
   */
  readonly idempotency?: boolean | 'own'
  /** For browsers: the refresh token is sent and received in a cookie that no script can read. */
  readonly byCookie?: true
  /** The response shows a secret once; the copy that is stored for repeated requests is encrypted. */
  readonly showsSecret?: boolean
  /** If the response isn't `application/json`. All but JSON-LD are streams. */
  readonly contentType?: 'application/ld+json' | 'application/x-ndjson' | 'text/csv' | 'text/calendar' | BinaryType
  /** A request that accepts `text/html` gets a page instead of the payload. */
  readonly page?: true
  readonly rate?: RateTier
  readonly envelope?: Envelope
  /** For a page: figures about the whole list, next to the items. */
  readonly counts?: TSchema
}

export interface Operation<S extends OperationSpec = OperationSpec> {
  readonly spec: S
  /** Unique. If a definition has several mounts, the first one has the definition's ID. */
  readonly id: string
  /** The ID of the definition that this is a mount of. */
  readonly definition: string
  /** `resource.verb` in the client of its surface. */
  readonly name: string
  readonly rate: RateTier
  readonly envelope: Envelope
  /** Whether the first response is stored and returned again. */
  readonly idempotent: boolean
  /** The schema that the query is checked against: `query`, closed if unknown parameters are refused. */
  readonly query: TSchema | undefined
  /** The full JSON body per status, envelope included. */
  readonly bodies: Readonly<Record<number, TSchema | null>>
}

/** What a mount can set differently. */
type Mountable =
  | 'path'
  | 'params'
  | 'query'
  | 'looseQuery'
  | 'body'
  | 'replies'
  | 'byCookie'
  | 'counts'
  | 'store'
  | 'envelope'
  | 'tag'
  | 'summary'
  | 'description'
  | 'errors'

/** One place where a definition is available, and who calls it there. The access determines the surface and the envelope. */
export interface Mount extends Partial<Pick<OperationSpec, Mountable>> {
  readonly access: Access
  /** Defaults to the definition's ID with the kind of caller, such as `webhooks.registerAsMember`. */
  readonly id?: OperationSpec['id']
}

/** One operation with one handler that callers with different credentials find at different paths. */
export interface DefinitionSpec extends Omit<OperationSpec, 'access' | 'surface'> {
  readonly mounts: readonly [Mount, ...Mount[]]
}

type MountId<D extends DefinitionSpec, M extends Mount> = M['access'] extends { readonly kind: 'partner' }
  ? `${D['id']}AsPartner`
  : D['id'] | `${D['id']}AsMember`

type MountedAs<D extends DefinitionSpec, M> = M extends Mount
  ? Omit<D, 'mounts' | 'id' | keyof M> &
      Omit<M, 'id'> & {
        readonly id: M extends { readonly id: infer Own extends OperationSpec['id'] } ? Own : MountId<D, M>
        readonly surface: M['access'] extends { readonly kind: 'key' } ? 'proof' : 'platform'
        readonly path: string
        readonly method: D['method']
        readonly replies: M extends { readonly replies: infer Shown } ? Shown : D['replies']
        readonly tag: Tag
        readonly summary: string
        readonly store: M extends { readonly store: infer At } ? At : D['store']
      }
  : never

/** The union of the specifications of all mounts. */
export type MountsOf<D extends DefinitionSpec> = Extract<MountedAs<D, D['mounts'][number]>, OperationSpec>

export interface Definition<S extends OperationSpec = OperationSpec> {
  readonly id: string
  readonly mounts: readonly [Operation<S>, ...Operation<S>[]]
}

export type SpecOf<D> = D extends Definition<infer S> ? S : D extends Operation<infer S> ? S : never

// Distributive: the input of a definition with several mounts is the union of theirs.
export type ParamsOf<S extends OperationSpec> = S extends { params: TSchema } ? Static<S['params']> : undefined
export type QueryOf<S extends OperationSpec> = S extends { query: TSchema } ? Static<S['query']> : undefined
export type BodyOf<S extends OperationSpec> = S extends { body: TSchema } ? Static<S['body']> : undefined
export type StatusOf<S extends OperationSpec> = Extract<keyof S['replies'], number>
export type PayloadOf<S extends OperationSpec, N extends StatusOf<S>> = S['replies'][N] extends TSchema
  ? Static<S['replies'][N]>
  : null

const accessKinds = new Set(['public', 'actor', 'partner', 'operator', 'key'])

export const operation = <const S extends OperationSpec>(spec: S): Operation<S> => mountOf(spec, spec.id, spec.id)

const callerNames = { public: 'Anyone', actor: 'Member', partner: 'Partner', operator: 'Operator', key: 'Key' } as const

/** The path prefix for this kind of caller. */
function placeOf(access: Access): string {
  if (access.kind === 'key') return '/v1'
  if (access.kind === 'partner') return '/partner'
  return access.kind === 'actor' && access.center === 'addressed' ? '/centers/{center}' : ''
}

export function definition<const D extends DefinitionSpec>({ mounts, ...shared }: D): Definition<MountsOf<D>> {
  const surfaces: Surface[] = mounts.map(({ access }) => (access?.kind === 'key' ? 'proof' : 'platform'))
  const isTwofold = new Set(surfaces).size > 1
  return {
    id: shared.id,
    mounts: mounts.map((mount, at) => {
      const surface = surfaces[at] as Surface
      const id =
        mount.id ?? (at === 0 ? shared.id : (`${shared.id}As${callerNames[mount.access.kind]}` as OperationSpec['id']))
      // The first mount of a surface has the plain name in that surface's client.
      const name = mount.id ?? (surfaces.indexOf(surface) === at ? shared.id : id)
      const path = mount.path ?? placeOf(mount.access) + shared.path
      const { stepUp, ...rest } = shared
      // A key shows with every request who it is: only a person confirms it.
      const confirmed = stepUp && mount.access.kind !== 'key' ? { stepUp } : {}
      const spec = { ...rest, ...confirmed, ...mount, id, surface, path } as unknown as MountsOf<D>
      // The document has both envelopes of the payload, and a name in it stands for one schema.
      return mountOf(spec, shared.id, name, isTwofold && surface === 'platform' ? 'Platform' : '')
    }) as readonly Operation<MountsOf<D>>[] as Definition<MountsOf<D>>['mounts'],
  }
}

function mountOf<const S extends OperationSpec>(spec: S, definition: string, name: string, prefix = ''): Operation<S> {
  // The type already requires access; this check is for callers that aren't type-checked.
  if (!accessKinds.has(spec.access?.kind)) throw new Error(`operation ${spec.id} declares no access`)
  const envelope = spec.envelope ?? 'data'
  const bodies: Record<number, TSchema | null> = {}
  for (const [status, payload] of Object.entries(spec.replies)) {
    bodies[Number(status)] = payload === null ? null : wrap(spec, envelope, payload, prefix)
  }
  const writes = spec.method !== 'GET'
  return {
    spec,
    id: spec.id,
    definition,
    name,
    envelope,
    bodies,
    query: isList(spec) && !spec.looseQuery ? closedQuery(spec) : spec.query,
    rate: spec.rate ?? 'caller',
    idempotent:
      spec.idempotency !== 'own' &&
      (spec.idempotency ?? (writes && spec.store !== 'identity' && spec.store !== 'none')),
  }
}

/** Unpaged lists of the platform accept `page` and `limit` like the others, and have a single page. A stream has none. */
function closedQuery({ query, surface, contentType }: OperationSpec): TSchema {
  const { page, limit } = PageQuery.properties
  const paging = surface === 'platform' && contentType === undefined ? { page, limit } : {}
  if (!query) return Type.Object(paging, closed)
  const { properties } = query as TObject
  return { ...query, properties: { ...paging, ...properties }, ...closed }
}

const NextCursor = Type.Optional(
  nullable(
    Type.String({
      description:
        'The cursor for the next page: send it as `cursor`. Null on the last page; absent from lists without cursors.',
    }),
  ),
)

const ProofPagination = named(
  'Pagination',
  {
    total: Type.Integer({ description: 'The exact number of matching items.' }),
    limit: Type.Integer({ description: 'The number of items per page, as requested.' }),
    offset: Type.Integer({ description: 'The number of items skipped, as requested.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more items after this page.' }),
    nextCursor: NextCursor,
  },
  { description: "This page's position in the list." },
)

const PlatformPagination = named(
  'NumberedPagination',
  {
    page: Type.Integer({ description: 'The page number, counted from 1.' }),
    limit: Type.Integer({ description: 'The number of items per page, as requested.' }),
    total: Type.Integer({ description: 'The exact number of matching items.' }),
    totalPages: Type.Integer({ description: 'The number of pages.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more pages after this one.' }),
    nextCursor: NextCursor,
  },
  { description: "This page's position in the list." },
)

const PlatformMeta = named(
  'PageMeta',
  {
    page: Type.Integer({ description: 'The page number, counted from 1.' }),
    total: Type.Integer({ description: 'The exact number of matching items.' }),
  },
  { description: 'The page number and the total again, for clients that read them from `meta`.' },
)

/** The name of a payload; that of a list follows from the name of its items. */
export function payloadName(payload: TSchema): string | undefined {
  const { title, items } = payload as { title?: string; items?: { title?: string } }
  return title ?? (items?.title && `${items.title}List`)
}

/** The name of an envelope follows from that of its payload: `Webhook`, `WebhookResponse`, `WebhookPage`. */
function wrap({ surface, counts }: OperationSpec, envelope: Envelope, payload: TSchema, prefix: string): TSchema {
  if (envelope === 'bare') return payload
  const name = payloadName(payload)
  const titled = (suffix: 'Page' | 'Response') => ({
    ...closed,
    ...(name && { title: prefix + name + suffix }),
    description: suffix === 'Page' ? 'One page of a list.' : 'The result of a request.',
  })
  const items = Type.Array(payload, { description: 'The items on this page.' })
  const isNamed = 'title' in payload
  const data = isNamed ? payload : described(payload, 'items' in payload ? 'The items.' : 'The result.')
  if (surface === 'proof') {
    return envelope === 'page'
      ? Type.Object({ data: items, pagination: ProofPagination }, titled('Page'))
      : Type.Object({ data }, titled('Response'))
  }
  const success = Type.Literal(true, { description: 'True in a successful response, false in an error response.' })
  const page = { success, data: items, pagination: PlatformPagination, meta: PlatformMeta }
  const counted = counts ? { ...page, counts: described(counts, 'Figures about the whole list.') } : page
  return envelope === 'page' ? Type.Object(counted, titled('Page')) : Type.Object({ success, data }, titled('Response'))
}

/** Whether the response has all objects of a kind, or those that the query selects. */
export const isList = ({ id, method, replies, contentType }: OperationSpec): boolean =>
  method === 'GET' &&
  (id.includes('.list') ||
    (replies[200] as { type?: unknown } | null)?.type === 'array' ||
    contentType === 'text/csv' ||
    contentType === 'application/x-ndjson')

/** The mounts of a definition. An operation without mounts is its own only one. */
export const mountsOf = <S extends OperationSpec>(each: Operation<S> | Definition<S>): readonly Operation<S>[] =>
  'mounts' in each ? each.mounts : [each]

/** The path that a client calls, such as `/api/v1/decision-events/{id}`. */
export function fullPath(spec: OperationSpec): string {
  return spec.surface === 'root' ? spec.path : `/api${spec.path}`
}
