/** The two error shapes. Which one is decided by the path alone, so that a 404 or a broken body has its shape too. */
import { type ErrorCode, errorCodes } from '@countersign/contract/errors.ts'
import type { Surface } from '@countersign/contract/operation.ts'
import type { Problem } from '../lib/problem.ts'

export const surfaceOf = (url: string): Surface =>
  /^\/api\/v1(\/|\?|$)/.test(url) ? 'proof' : /^\/api(\/|\?|$)/.test(url) ? 'platform' : 'root'

/** Where one surface has no such code, its nearest one. */
const onProof: Partial<Record<ErrorCode, ErrorCode>> = { RATE_LIMITED: 'RATE_LIMIT', DATABASE_ERROR: 'INTERNAL_ERROR' }
const onPlatform: Partial<Record<ErrorCode, ErrorCode>> = {
  RATE_LIMIT: 'RATE_LIMITED',
  BAD_REQUEST: 'VALIDATION_ERROR',
}

export interface RenderedError {
  readonly status: number
  readonly body: Record<string, unknown>
}

export function renderProblem(surface: Surface, problem: Problem, requestId: string): RenderedError {
  const proof = surface === 'proof'
  const code = (proof ? onProof : onPlatform)[problem.code] ?? problem.code
  const status = problem.status ?? (proof ? errorCodes[code].proof : errorCodes[code].platform) ?? 500
  const { message } = problem
  return {
    status,
    body: proof
      ? { error: { code, message, requestId, details: problem.details } }
      : { success: false, error: { code, message } },
  }
}
