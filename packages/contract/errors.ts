/**
 * The error tables of the specification, part 7. A code can have a different status on each surface
 * (VALIDATION_ERROR is 400 on the platform and 422 on /api/v1), so the status depends on the surface.
 */
import { Type } from 'typebox'
import { named } from './common.ts'

interface CodeSpec {
  readonly platform: number | null
  readonly proof: number | null
  /** For the reference. The message in a response is written where the error arises, and listed in error-messages.json. */
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
    "The request couldn't be read: malformed JSON, a wrong content type, or a body that is too large (413).",
  ),
  UNAUTHORIZED: code(
    401,
    401,
    "The credential is missing, invalid, or of a type that this part of the API doesn't accept.",
  ),
  TOKEN_EXPIRED: code(401, null, 'The access token has expired. Exchange the refresh token for a new pair of tokens.'),
  INVALID_CREDENTIALS: code(401, null, 'The email address, phone number or password is wrong.'),
  FORBIDDEN: code(403, 403, "The credential doesn't permit this action."),
  NO_MEMBERSHIP: code(403, null, 'You have no active membership in this center.'),
  MEMBERSHIP_SUSPENDED: code(403, null, 'Your membership is suspended.'),
  MEMBERSHIP_ENDED: code(403, null, 'Your membership has ended.'),
  INSUFFICIENT_ROLE: code(403, null, "Your role doesn't permit this action."),
  CENTER_NOT_FOUND: code(404, null, 'No center has this subdomain or ID.'),
  CENTER_SUSPENDED: code(403, null, 'The center is suspended or closed.'),
  NOT_FOUND: code(404, 404, "The path or the object doesn't exist, or it belongs to another center."),
  METHOD_NOT_ALLOWED: code(
    405,
    405,
    "The path exists but doesn't support this method. The `Allow` header lists the methods it supports.",
  ),
  CONFLICT: code(
    409,
    409,
    "The object's state doesn't allow this action, or the idempotency key was used with a different body.",
  ),
  SUBDOMAIN_TAKEN: code(409, null, 'The subdomain is taken or reserved.'),
  PROVISIONING_FAILED: code(500, null, "The center couldn't be created. Nothing was changed."),
  DUPLICATE_PROVISIONING: code(409, null, 'The `orderId` was used with a different body.'),
  DPU_NOT_FOUND: code(404, null, "The DPU doesn't exist."),
  DPU_SEALED: code(403, null, "The record is AUDIT_READY and can't be changed."),
  CHAIN_BROKEN: code(422, 422, "The chain can't be verified."),
  INVALID_EVIDENCE_LEVEL: code(400, null, 'The evidence level can only be raised.'),
  VALIDATION_ERROR: code(400, 422, 'A value is missing, of the wrong type, or out of bounds.'),
  INVALID_EMAIL: code(400, null, "The value isn't an email address."),
  INVALID_SUBDOMAIN: code(400, null, 'A subdomain has 3 to 30 lowercase letters, digits and hyphens.'),
  MISSING_REQUIRED_FIELD: code(400, null, 'A required field is missing.'),
  POLICY_VIOLATION: code(422, 422, 'A policy refuses the decision. `details` names the policy and the guard.'),
  RATE_LIMITED: code(429, null, 'Too many requests. Retry after the number of seconds in the `Retry-After` header.'),
  RATE_LIMIT: code(null, 429, 'Too many requests. Retry after the number of seconds in the `Retry-After` header.'),
  INTERNAL_ERROR: code(500, 500, "An unexpected error occurred. It's safe to retry with the same idempotency key."),
  SERVICE_UNAVAILABLE: code(
    503,
    503,
    'The service is temporarily unavailable. Retry after the number of seconds in the `Retry-After` header.',
  ),
  DATABASE_ERROR: code(500, null, 'The request failed because of a storage error. Nothing was changed.'),
} as const satisfies Record<string, CodeSpec>

export type ErrorCode = keyof typeof errorCodes

const Code = Type.String({ description: 'A stable error code for programs.', examples: ['NOT_FOUND'] })
const Message = Type.String({ description: 'What happened and what to do next, written for people.' })

const Details = Type.Record(Type.String(), Type.Unknown(), {
  title: 'ProblemDetails',
  description:
    "More about this error. If there's nothing to add, it's an empty object under `/api/v1` and absent under `/api`.",
})

export const PlatformError = named(
  'PlatformError',
  {
    success: Type.Literal(false, { description: 'Always false.' }),
    error: named(
      'PlatformProblem',
      {
        code: Code,
        message: Message,
        details: Type.Optional(Details),
      },
      { description: 'What went wrong.' },
    ),
  },
  { description: 'An error from the platform API.' },
)

export const ProofError = named(
  'ProofError',
  {
    error: named(
      'ProofProblem',
      {
        code: Code,
        message: Message,
        requestId: Type.String({ description: "The request's ID. Quote it when you contact support." }),
        details: Details,
      },
      { description: 'What went wrong.' },
    ),
  },
  { description: 'An error from the Proof API.' },
)
