/** The OpenAPI 3.1 document, made from the operations. */
import type { TSchema } from 'typebox'
import { type ErrorCode, errorCodes, PlatformError, ProofError } from './errors.ts'
import { replyExample } from './examples.ts'
import { type Json, type NamedSchemas, namedSchemas } from './openapi-schemas.ts'
import { type Access, fullPath, type Operation, type OperationSpec, stepUpMinutes } from './operation.ts'
import { operations } from './operations.ts'
import { type Tag, tags } from './tags.ts'
import { eventTypes } from './webhook-events.ts'

const statusOf = (code: ErrorCode, spec: OperationSpec) =>
  spec.surface === 'proof' ? errorCodes[code].proof : errorCodes[code].platform

/** Codes that follow from what the operation is, in addition to those it declares. */
function impliedErrors(spec: OperationSpec): ErrorCode[] {
  const proof = spec.surface === 'proof'
  const codes: ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
  if (spec.rate !== 'none') codes.push(proof ? 'RATE_LIMIT' : 'RATE_LIMITED')
  if (!proof && spec.store !== 'none') codes.push('DATABASE_ERROR')
  // Any operation can get it: the path may contain NUL, or a body may be sent where none is declared.
  codes.push('VALIDATION_ERROR')
  if (proof) codes.push('BAD_REQUEST')
  // A path parameter that is too long matches nothing.
  if (spec.params) codes.push('NOT_FOUND')
  if (!proof && spec.body) codes.push('MISSING_REQUIRED_FIELD')
  if (!proof && JSON.stringify(spec.body ?? {}).includes('"format":"email"')) codes.push('INVALID_EMAIL')
  if (spec.access.kind === 'key') codes.push('UNAUTHORIZED', 'FORBIDDEN')
  if (!['public', 'key'].includes(spec.access.kind)) codes.push('UNAUTHORIZED', 'TOKEN_EXPIRED', 'FORBIDDEN')
  if (spec.access.kind === 'partner') codes.push('INSUFFICIENT_ROLE')
  if (spec.access.kind === 'actor') {
    if (spec.access.center !== 'optional')
      codes.push('NO_MEMBERSHIP', 'MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_ENDED', 'CENTER_SUSPENDED')
    if (spec.access.center === 'addressed') codes.push('CENTER_NOT_FOUND')
    if (spec.access.roles) codes.push('INSUFFICIENT_ROLE')
  }
  return codes
}

export function errorsOf(operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const { spec } = operation
  const declared = new Set<ErrorCode>([...(spec.errors ?? []), ...impliedErrors(spec)])
  if (operation.idempotent) declared.add('CONFLICT').add('VALIDATION_ERROR')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of declared) {
    const status = statusOf(code, spec)
    if (status !== null) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  for (const [status, code] of Object.entries(spec.also ?? {})) {
    byStatus.set(Number(status), [...(byStatus.get(Number(status)) ?? []), code])
  }
  if (spec.method !== 'GET') byStatus.set(413, [spec.surface === 'proof' ? 'BAD_REQUEST' : 'VALIDATION_ERROR'])
  return byStatus
}

const scopesOf = ({ scope, or }: Access & { kind: 'key' }): readonly string[] => [scope, ...(or ? [or] : [])]

function security(access: Access): Json[] {
  if (access.kind === 'public') return []
  return access.kind === 'key'
    ? scopesOf(access).map((scope) => ({ apiKey: [scope] }))
    : [{ accessToken: [] }, { sessionCookie: [] }]
}

/** For signed-in people: how recently they must have confirmed that it is them. */
export function stepUpWords({ stepUp, body }: OperationSpec): string[] {
  if (stepUp === undefined) return []
  const { within, when } = stepUp
  const values = when?.among.map((each) => `\`${each}\``).join(' or ')
  const cases = when?.members.map((name) => {
    const member = ((body ?? {}) as ObjectSchema).properties?.[name] as { type?: unknown } | undefined
    return `\`${name}\` ${member?.type === 'array' ? 'includes' : 'is'} ${values}`
  })
  const only = cases ? `If ${cases.join(' or ')}, ` : ''
  const asked = `they must have signed in or stepped up (\`POST /api/auth/step-up\`) in the last ${stepUpMinutes[within]} minutes`
  return [`${only}${only ? asked : asked.replace('they', 'They')}.`]
}

export function whoMayCall(access: Access): string {
  if (access.kind === 'public') return 'Anyone.'
  if (access.kind === 'key') {
    const names = scopesOf(access).map((scope) => `\`${scope}\``)
    const scope = `the ${names.join(' or ')} scope`
    return access.bound === true
      ? `An API key with ${scope}.`
      : `An API key that has ${scope} and isn't bound to an actor.`
  }
  if (access.kind === 'operator') return 'A platform operator.'
  if (access.kind === 'partner') return `A partner account with the ${access.roles.join(' or ')} role.`
  const role = access.roles && `the ${access.roles.join(' or ')} role`
  if (access.center === 'addressed')
    return `An ACTIVE member of the center in the path${role ? ` who has ${role}` : ''}.`
  return access.center === 'required'
    ? `A signed-in center member${role ? ` with ${role}` : ''}.`
    : 'Anyone who is signed in.'
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
}

function parameters(operation: Operation, { refer }: NamedSchemas): Json[] {
  const { spec } = operation
  const list: Json[] = []
  for (const [where, schema] of [
    ['path', spec.params],
    ['query', spec.query],
  ] as const) {
    const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
    for (const [name, property] of Object.entries(properties)) {
      list.push({
        name,
        in: where,
        required: required.includes(name) && !('default' in property),
        schema: refer(property),
      })
    }
  }
  const keeps = spec.idempotency === 'own' ? 'OwnIdempotencyKey' : operation.idempotent && 'IdempotencyKey'
  if (keeps) list.push({ $ref: `#/components/parameters/${keeps}` })
  return list
}

const successes: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done. The response has no body.',
}

/** What a status says where an operation has two of them: who repeats a request has to tell a new object from an earlier one. */
export function meaningOf({ spec, bodies }: Operation, status: string): string {
  const both = 200 in bodies && 201 in bodies
  if (!both) return successes[status] ?? 'Success.'
  const object =
    spec.idempotency === 'own' ? 'The object of the first request, as it is now.' : 'The object of the first request.'
  return status === '201' ? 'Created by this request.' : `An earlier request with the same ID created it. ${object}`
}

const tooLarge = 'The body is too large.'

function responses(operation: Operation, { refer }: NamedSchemas): Json {
  const { spec } = operation
  const out: Json = {}
  for (const [status, schema] of Object.entries(operation.bodies)) {
    const example = schema && replyExample(operation, Number(status))
    out[status] = {
      description: meaningOf(operation, status),
      headers: limitHeaders,
      ...(schema && {
        content: {
          [spec.contentType ?? 'application/json']: { schema: refer(schema), ...(example != null && { example }) },
          ...(spec.page && { 'text/html': { schema: { type: 'string', description: 'An HTML page for browsers.' } } }),
        },
      }),
    }
  }
  for (const [status, codes] of [...errorsOf(operation)].sort(([a], [b]) => a - b)) {
    out[status] = {
      description: codes
        .map((code) => `\`${code}\`: ${status === 413 ? tooLarge : errorCodes[code].meaning}`)
        .join('\n\n'),
      content: { 'application/json': { schema: refer(spec.surface === 'proof' ? ProofError : PlatformError) } },
    }
  }
  return out
}

const idempotencyKey = (description: string) => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['refund-4412-2026-11-15'] },
})

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })
const headers = {
  RequestId: { description: "The request's ID. Quote it when you contact support.", schema: { type: 'string' } },
  RateLimitLimit: integerHeader('The number of requests allowed per window.'),
  RateLimitRemaining: integerHeader('The number of requests left in this window.'),
  RateLimitReset: integerHeader('When the window ends, in Unix seconds.'),
}
const limitHeaders = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
}

function requestBody(schema: TSchema, { yaml }: OperationSpec, { refer }: NamedSchemas): Json {
  const [example] = (schema as ObjectSchema).examples ?? []
  const content = { schema: refer(schema), example }
  return { required: true, content: { 'application/json': content, ...(yaml && { 'application/yaml': content }) } }
}

function describe(operation: Operation, schemas: NamedSchemas): Json {
  const { spec } = operation
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, `**Who may call it:** ${[whoMayCall(spec.access), ...stepUpWords(spec)].join(' ')}`]
      .filter(Boolean)
      .join('\n\n'),
    security: security(spec.access),
    parameters: parameters(operation, schemas),
    ...(spec.body && { requestBody: requestBody(spec.body, spec, schemas) }),
    responses: responses(operation, schemas),
  }
}

const introduction = `Countersign records decisions by people and AI agents, holds the risky ones until a named person approves them, seals every decision into a hash chain, and exports proofs that anyone can verify offline.

The API has two parts.

- **The Proof API** under \`/api/v1\` is for programs: decision events, agents, evidence, proofs and webhooks. It accepts an API key and responds with \`{data}\` or \`{error}\`.
- **The platform API** under \`/api\` is for people and the applications they use: sign-in, centers, members, policies and workflows. It accepts an access token or the session cookie and responds with \`{success, data}\` or \`{success: false, error}\`.

An access token doesn't work under \`/api/v1\`, and an API key works nowhere else.

To get started, sign in with \`POST /api/auth/login\`, create a key with \`POST /api/api-keys\`, and record a decision with \`POST /api/v1/decision-events\`.`

/** In the order of the tags, the Proof API first; within a tag in the order of the operations. */
function inOrder(): readonly Operation[] {
  const order = Object.keys(tags)
  return operations.toSorted((a, b) => order.indexOf(a.spec.tag) - order.indexOf(b.spec.tag))
}

const nameOf = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What the server sends to a webhook's URL, by event type. */
function webhooks({ refer }: NamedSchemas): Json {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, { description, schema, example }]) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          tags: ['Webhooks'],
          summary: description.split(/(?<=\.) /)[0],
          description: `${description}\n\nThe headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` sign the exact bytes of the body. Ignore fields that you don't know: later versions may add some.`,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: refer({
                  type: 'object',
                  title: `${nameOf(type)}Event`,
                  description,
                  required: ['id', 'type', 'createdAt', 'deliveryAttempt', 'data'],
                  properties: {
                    id: { type: 'string', description: "The event's ID, the same in every attempt." },
                    type: { const: type, description: 'The event type.' },
                    createdAt: { type: 'string', format: 'date-time', description: 'When the event happened.' },
                    deliveryAttempt: { type: 'integer', minimum: 1, description: 'The number of this attempt.' },
                    data: { ...schema, title: `${nameOf(type)}Data`, description: 'What happened.' },
                  },
                }),
                example: {
                  ...{ id: 'msg_01kz9x4q8hfx5r3v7t2b6n0m1c', type, createdAt: '2026-11-15T09:30:00.000Z' },
                  ...{ deliveryAttempt: 1, data: example },
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received. Any other status, or none in time, is tried again.' },
          },
        },
      },
    ]),
  )
}

export function openApiDocument(): Json {
  const schemas = namedSchemas()
  const paths: Record<string, Json> = {}
  for (const operation of inOrder()) {
    const path = fullPath(operation.spec)
    paths[path] = { ...paths[path], [operation.spec.method.toLowerCase()]: describe(operation, schemas) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: introduction,
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: (Object.keys(tags) as Tag[]).map((name) => ({ name, description: tags[name] })),
    paths,
    webhooks: webhooks(schemas),
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token from `POST /api/auth/login`.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'auth_token',
          description:
            "The session cookie, set by `POST /api/auth/login`. Requests with methods other than GET also need an `Origin` header with this server's own origin.",
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key from `POST /api/api-keys`, in the form `csk_<env>_<random>_<checksum>`.',
        },
      },
      parameters: {
        IdempotencyKey: idempotencyKey(
          'Makes a repeated request safe. Choose one key per action and send it again when you retry. For 24 hours, the same key with the same body returns the first response; with a different body, the request fails with 409.',
        ),
        OwnIdempotencyKey: idempotencyKey(
          'Makes a repeated request safe and becomes the ID of the new object. The same key with the same body returns the object as it is now; with a different body, the request fails with 409.',
        ),
      },
      headers,
      schemas: schemas.all(),
    },
  }
  return JSON.parse(JSON.stringify(document))
}
