/** The two error formats. The path alone decides, so that a 404 or a malformed body has the right format too. */
import { type ErrorCode, errorCodes } from '@countersign/contract/errors.ts'
import type { Surface } from '@countersign/contract/operation.ts'
import type { Problem } from '../lib/problem.ts'

export function surfaceOf(url: string): Surface {
  // A proxy may send the whole address as the request target (RFC 9112, 3.2.2). The router ignores the host, and so does this.
  const path = url.replace(/^https?:\/\/[^/]*/i, '')
  return /^\/api\/v1(\/|\?|$)/.test(path) ? 'proof' : /^\/api(\/|\?|$)/.test(path) ? 'platform' : 'root'
}

/** Where a surface lacks a code, the nearest code it has; without one the code is a defect of the server. */
const onProof: Partial<Record<ErrorCode, ErrorCode>> = { RATE_LIMITED: 'RATE_LIMIT', DATABASE_ERROR: 'INTERNAL_ERROR' }
const onPlatform: Partial<Record<ErrorCode, ErrorCode>> = {
  RATE_LIMIT: 'RATE_LIMITED',
  BAD_REQUEST: 'VALIDATION_ERROR',
}

export interface RenderedError {
  readonly status: number
  readonly code: ErrorCode
  readonly body: Record<string, unknown>
}

export function renderProblem(surface: Surface, problem: Problem, requestId: string): RenderedError {
  const proof = surface === 'proof'
  const statusOf = (known: ErrorCode) => errorCodes[known][proof ? 'proof' : 'platform']
  const nearest = (proof ? onProof : onPlatform)[problem.code] ?? problem.code
  const code = statusOf(nearest) === null ? 'INTERNAL_ERROR' : nearest
  const status = code === nearest ? (problem.status ?? statusOf(code)) : 500
  const { message, details } = problem
  return {
    status: status as number,
    code,
    body: proof
      ? { error: { code, message, requestId, details } }
      : { success: false, error: { code, message, ...(Object.keys(details).length > 0 && { details }) } },
  }
}
