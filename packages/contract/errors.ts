/**
 * The error tables of the specification, part 7. One code can have another status on the other surface
 * (VALIDATION_ERROR is 400 on the platform and 422 on /api/v1), so the status depends on the surface.
 */
import { Type } from 'typebox'
import { named } from './common.ts'

interface CodeSpec {
  readonly platform: number | null
  readonly proof: number | null
  /** What happened, for the reference; the message a caller reads is written where the problem arises. */
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
    'The request could not be read: malformed JSON, wrong content type, oversized body (413)',
  ),
  UNAUTHORIZED: code(401, 401, 'No valid credential of the kind this surface takes'),
  TOKEN_EXPIRED: code(401, null, 'The access token has expired; exchange the refresh token for a new pair'),
  INVALID_CREDENTIALS: code(401, null, 'Wrong email, phone or password'),
  FORBIDDEN: code(403, 403, 'The credential does not permit this action'),
  NO_MEMBERSHIP: code(403, null, 'No active membership in the target center'),
  MEMBERSHIP_SUSPENDED: code(403, null, 'The membership is suspended'),
  MEMBERSHIP_ENDED: code(403, null, 'The membership has ended'),
  INSUFFICIENT_ROLE: code(403, null, 'The role lacks permission'),
  CENTER_NOT_FOUND: code(404, null, 'No center has this domain or id'),
  CENTER_SUSPENDED: code(403, null, 'The center is suspended or has ended'),
  NOT_FOUND: code(404, 404, 'The path or the object does not exist, or belongs to another center'),
  METHOD_NOT_ALLOWED: code(
    405,
    405,
    'The address exists and does not have this method; the header Allow names those it has',
  ),
  CONFLICT: code(409, 409, 'The state does not allow it, or an idempotency key was used for another body'),
  SUBDOMAIN_TAKEN: code(409, null, 'The subdomain is registered or reserved'),
  PROVISIONING_FAILED: code(500, null, 'The center could not be created; nothing was'),
  DUPLICATE_PROVISIONING: code(409, null, 'The orderId was used with other content'),
  DPU_NOT_FOUND: code(404, null, 'The decision proof unit does not exist'),
  DPU_SEALED: code(403, null, 'The record is AUDIT_READY and cannot change'),
  CHAIN_BROKEN: code(422, 422, 'The hash chain does not hold'),
  INVALID_EVIDENCE_LEVEL: code(400, null, 'The evidence level can only increase'),
  VALIDATION_ERROR: code(400, 422, 'A value is missing, of another type, or out of bounds'),
  INVALID_EMAIL: code(400, null, 'Not an email address'),
  INVALID_SUBDOMAIN: code(400, null, 'A subdomain is 3 to 30 lowercase letters, digits and hyphens'),
  MISSING_REQUIRED_FIELD: code(400, null, 'A required field is absent'),
  POLICY_VIOLATION: code(422, 422, 'A policy refuses the decision; details name it and the rule'),
  RATE_LIMITED: code(429, null, 'Too many requests; wait as long as Retry-After says'),
  RATE_LIMIT: code(null, 429, 'Too many requests; wait as long as Retry-After says'),
  INTERNAL_ERROR: code(500, 500, 'Unexpected; safe to retry with the same idempotency key'),
  SERVICE_UNAVAILABLE: code(503, 503, 'Temporarily unavailable; retry after the seconds given'),
  DATABASE_ERROR: code(500, null, 'The database refused; nothing was changed'),
} as const satisfies Record<string, CodeSpec>

export type ErrorCode = keyof typeof errorCodes

const Code = Type.String({ description: 'Stable and meant for programs', examples: ['NOT_FOUND'] })
const Message = Type.String({ description: 'For people: what failed and what to do' })

const Details = Type.Record(Type.String(), Type.Unknown(), {
  title: 'ProblemDetails',
  description:
    'What the code means for this request. Where there is nothing to add, it is an empty object on `/api/v1` and absent on the platform',
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
  { description: 'Error of the platform API' },
)

export const ProofError = named(
  'ProofError',
  {
    error: named('ProofProblem', {
      code: Code,
      message: Message,
      requestId: Type.String({ description: 'Quote it in a support request' }),
      details: Details,
    }),
  },
  { description: 'Error of the Proof API' },
)
