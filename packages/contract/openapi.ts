/** The OpenAPI 3.1 description, made from the operations. OpenAPI 3.1 is JSON Schema, so nothing is converted. */
import type { TSchema } from 'typebox'
import { type ErrorCode, errorCodes, PlatformError, ProofError } from './errors.ts'
import { type Access, fullPath, type Operation, type OperationSpec } from './operation.ts'
import { operations } from './operations.ts'

type Json = Record<string, unknown>

const errorShape = (spec: OperationSpec) => (spec.surface === 'proof' ? 'ProofError' : 'PlatformError')

const statusOf = (code: ErrorCode, spec: OperationSpec) =>
  spec.surface === 'proof' ? errorCodes[code].proof : errorCodes[code].platform

/** Codes that follow from what the operation is, beside the ones it names itself. */
function impliedErrors(spec: OperationSpec): ErrorCode[] {
  const proof = spec.surface === 'proof'
  const codes: ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
  if (spec.rate !== 'none') codes.push(proof ? 'RATE_LIMIT' : 'RATE_LIMITED')
  if (!proof && spec.store !== 'none') codes.push('DATABASE_ERROR')
  // Everywhere: an address may hold a NUL, and a body may be sent where none belongs.
  codes.push('VALIDATION_ERROR')
  if (proof) codes.push('BAD_REQUEST')
  // A path with a parameter that is too long leads nowhere.
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
  if (spec.method !== 'GET') byStatus.set(413, [spec.surface === 'proof' ? 'BAD_REQUEST' : 'VALIDATION_ERROR'])
  return byStatus
}

function security(access: Access): Json[] {
  if (access.kind === 'public') return []
  return access.kind === 'key' ? [{ apiKey: [access.scope] }] : [{ accessToken: [] }, { sessionCookie: [] }]
}

function whoMayCall(access: Access): string {
  if (access.kind === 'public') return 'Anyone.'
  if (access.kind === 'key') return `An API key with the scope \`${access.scope}\`.`
  if (access.kind === 'operator') return 'A platform operator.'
  if (access.kind === 'partner') return `An account of a partner with the role ${access.roles.join(' or ')}.`
  const roles = access.roles ? ` with the role ${access.roles.join(' or ')}` : ''
  if (access.center === 'addressed') return `An ACTIVE member of the center in the path${roles}.`
  return access.center === 'required' ? `A signed-in member of a center${roles}.` : 'Any signed-in actor.'
}

function parameters(operation: Operation): Json[] {
  const { spec } = operation
  const list: Json[] = []
  for (const [where, schema] of [
    ['path', spec.params],
    ['query', spec.query],
  ] as const) {
    const properties = (schema as unknown as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
    for (const [name, property] of Object.entries(properties)) {
      list.push({ name, in: where, required: where === 'path', schema: property })
    }
  }
  const keeps = spec.idempotency === 'own' ? 'OwnIdempotencyKey' : operation.idempotent && 'IdempotencyKey'
  if (keeps) list.push({ $ref: `#/components/parameters/${keeps}` })
  return list
}

function responses(operation: Operation): Json {
  const { spec } = operation
  const out: Json = {}
  for (const [status, schema] of Object.entries(operation.bodies)) {
    out[status] = {
      description: schema === null ? 'Done; no body' : 'Success',
      headers: rateHeaders,
      ...(schema && {
        content: {
          [spec.contentType ?? 'application/json']: { schema },
          ...(spec.page && { 'text/html': { schema: { type: 'string', description: 'A page for people' } } }),
        },
      }),
    }
  }
  for (const [status, codes] of [...errorsOf(operation)].sort(([a], [b]) => a - b)) {
    out[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${errorShape(spec)}` } } },
    }
  }
  return out
}

const idempotencyKey = (description: string) => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
})

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })
const rateHeaders = {
  'X-Request-Id': { description: 'Ours, always; quote it when asking for help', schema: { type: 'string' } },
  'X-RateLimit-Limit': integerHeader('Requests per window'),
  'X-RateLimit-Remaining': integerHeader('Requests left in this window'),
  'X-RateLimit-Reset': integerHeader('Unix seconds when the window resets'),
}

function describe(operation: Operation): Json {
  const { spec } = operation
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, `**Who may call it:** ${whoMayCall(spec.access)}`].filter(Boolean).join('\n\n'),
    security: security(spec.access),
    parameters: parameters(operation),
    ...(spec.body && { requestBody: { required: true, content: { 'application/json': { schema: spec.body } } } }),
    responses: responses(operation),
  }
}

export function openApiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = fullPath(operation.spec)
    paths[path] = { ...paths[path], [operation.spec.method.toLowerCase()]: describe(operation) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Decisions of centers, countersigned, sealed and provable to a stranger.\n\nThe platform API (JWT) answers `{success, data}`; the Proof API under `/api/v1` (API key) answers `{data}`. A JWT does not work on `/api/v1`, and an API key works nowhere else.',
    },
    servers: [{ url: '/', description: 'This server' }],
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From `POST /api/auth/login`',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'auth_token',
          description: 'Unsafe methods also need a same-origin `Origin`',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'From `POST /api/api-keys`, form `csk_<env>_<random>_<checksum>`',
        },
      },
      parameters: {
        IdempotencyKey: idempotencyKey(
          'Stable per logical action: the same key with the same body returns the first answer for 24 hours; with another body it is 409.',
        ),
        OwnIdempotencyKey: idempotencyKey(
          'Names what is made, for good: the same key with the same body returns it as it stands now; with another body it is 409.',
        ),
      },
      schemas: { PlatformError, ProofError },
    },
  }
  return JSON.parse(JSON.stringify(document))
}
