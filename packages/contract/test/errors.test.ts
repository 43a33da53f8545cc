import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCodes } from '../errors.ts'

/** The tables of the specification, part 7.1 and 7.2. */
const platform = {
  UNAUTHORIZED: 401,
  TOKEN_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  NO_MEMBERSHIP: 403,
  MEMBERSHIP_SUSPENDED: 403,
  MEMBERSHIP_ENDED: 403,
  INSUFFICIENT_ROLE: 403,
  CENTER_NOT_FOUND: 404,
  CENTER_SUSPENDED: 403,
  SUBDOMAIN_TAKEN: 409,
  PROVISIONING_FAILED: 500,
  DUPLICATE_PROVISIONING: 409,
  DPU_NOT_FOUND: 404,
  DPU_SEALED: 403,
  CHAIN_BROKEN: 422,
  INVALID_EVIDENCE_LEVEL: 400,
  VALIDATION_ERROR: 400,
  INVALID_EMAIL: 400,
  INVALID_SUBDOMAIN: 400,
  MISSING_REQUIRED_FIELD: 400,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  DATABASE_ERROR: 500,
}
const proof = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  VALIDATION_ERROR: 422,
  RATE_LIMIT: 429,
  INTERNAL_ERROR: 500,
  POLICY_VIOLATION: 422,
}
/** Codes that are not in the specification. */
const added = {
  platform: { NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405, CONFLICT: 409, POLICY_VIOLATION: 422 },
  proof: { METHOD_NOT_ALLOWED: 405, CHAIN_BROKEN: 422, SERVICE_UNAVAILABLE: 503 },
}

const table = (surface: 'platform' | 'proof') =>
  Object.fromEntries(
    (Object.keys(errorCodes) as ErrorCode[]).flatMap((code) =>
      errorCodes[code][surface] === null ? [] : [[code, errorCodes[code][surface]]],
    ),
  )

describe('the error codes and statuses are those of the specification, plus the listed additions', () => {
  it('on the platform', () => expect(table('platform')).toEqual({ ...platform, ...added.platform }))
  it('on the Proof API', () => expect(table('proof')).toEqual({ ...proof, ...added.proof }))
})

it('every code has an explanation', () => {
  for (const { meaning } of Object.values(errorCodes)) expect(meaning).toMatch(/^[A-Z].{10}/)
})
