/**
 * The error tables of the specification, part 7. One code can have another status on the other surface
 * (VALIDATION_ERROR is 400 on the platform and 422 on /api/v1), so the status depends on the surface.
 */
import { Type } from 'typebox'
import { named } from './common.ts'

interface CodeSpec {
  readonly platform: number | null
  readonly proof: number | null
  /** For the reference. What a caller reads is written where the problem arises, and listed in error-messages.json. */
  readonly meaning: string
}

const code = (platform: number | null, proof: number | null, meaning: string): CodeSpec => ({
  platform,
  proof,
  meaning,
})

export const errorCodes = {
  BAD_REQUEST: code(
    null,
    400,
    "The request couldn't be read: its JSON or content type is wrong, or its body is too large (413)",
  ),
  UNAUTHORIZED: code(401, 401, "The API key, access token or session is missing, isn't valid or has expired"),
  TOKEN_EXPIRED: code(401, null, 'The access token has expired; exchange the refresh token for a new pair'),
  INVALID_CREDENTIALS: code(401, null, 'The email address, phone number or password is wrong'),
  FORBIDDEN: code(403, 403, "The credential doesn't allow this"),
  NO_MEMBERSHIP: code(403, null, "The person doesn't have an active membership in this center, or hasn't entered one"),
  MEMBERSHIP_SUSPENDED: code(403, null, 'The membership is suspended'),
  MEMBERSHIP_ENDED: code(403, null, 'The membership has ended'),
  INSUFFICIENT_ROLE: code(403, null, "The person's role doesn't allow this"),
  CENTER_NOT_FOUND: code(404, null, 'No center has this id, subdomain or domain'),
  CENTER_SUSPENDED: code(403, null, 'The center is suspended or has been closed'),
  NOT_FOUND: code(404, 404, "The path or the object doesn't exist, or belongs to another center"),
  METHOD_NOT_ALLOWED: code(
    405,
    405,
    "The path exists, but doesn't accept this method; the header `Allow` lists those it accepts",
  ),
  CONFLICT: code(409, 409, "The current state doesn't allow this, or the idempotency key was used for another request"),
  SUBDOMAIN_TAKEN: code(409, null, 'The subdomain is taken or reserved'),
  PROVISIONING_FAILED: code(500, null, "The center couldn't be created, and nothing was stored"),
  DUPLICATE_PROVISIONING: code(409, null, 'The `orderId` was already used with different content'),
  DPU_NOT_FOUND: code(404, null, "The decision proof unit doesn't exist, or belongs to another center"),
  DPU_SEALED: code(403, null, "The record is AUDIT_READY and can't be changed"),
  CHAIN_BROKEN: code(422, 422, "A stored record, policy or chain doesn't match what was sealed"),
  INVALID_EVIDENCE_LEVEL: code(400, null, 'The evidence level can only rise'),
  VALIDATION_ERROR: code(400, 422, 'A value is missing, has the wrong type or is out of bounds'),
  INVALID_EMAIL: code(400, null, "A value isn't a valid email address"),
  INVALID_SUBDOMAIN: code(400, null, 'A subdomain must have 3 to 30 characters: lowercase letters, digits and hyphens'),
  MISSING_REQUIRED_FIELD: code(400, null, 'A required field is missing'),
  POLICY_VIOLATION: code(422, 422, 'A policy refuses this; `details` name the policy and the guard'),
  RATE_LIMITED: code(429, null, 'Too many requests; wait as long as `Retry-After` says'),
  RATE_LIMIT: code(null, 429, 'Too many requests; wait as long as `Retry-After` says'),
  INTERNAL_ERROR: code(
    500,
    500,
    "Something went wrong in the server; it's safe to retry with the same idempotency key",
  ),
  SERVICE_UNAVAILABLE: code(503, 503, 'Temporarily unavailable; retry after the number of seconds in `Retry-After`'),
  DATABASE_ERROR: code(500, null, 'The database refused the change, and nothing was changed'),
} as const satisfies Record<string, CodeSpec>

export type ErrorCode = keyof typeof errorCodes

const Code = Type.String({ description: 'Stable, for programs to decide by', examples: ['NOT_FOUND'] })
const Message = Type.String({ description: 'For people: what happened, why, and what to do next' })

const Details = Type.Record(Type.String(), Type.Unknown(), {
  title: 'ProblemDetails',
  description:
    'More about this request. If there is nothing to add, it is an empty object under `/api/v1` and absent elsewhere',
})

export const PlatformError = named(
  'PlatformError',
  {
    success: Type.Literal(false),
    error: named('PlatformProblem', {
      code: Code,
      message: Message,
      details: Type.Optional(Details),
    }),
  },
  { description: 'An error of the platform API' },
)

export const ProofError = named(
  'ProofError',
  {
    error: named('ProofProblem', {
      code: Code,
      message: Message,
      requestId: Type.String({ description: 'Include it when you ask for support' }),
      details: Details,
    }),
  },
  { description: 'An error of the Proof API' },
)
