/** Errors of the SDK. `instanceof` and `code` tell them apart. */

export class CountersignError extends Error {
  override readonly name: string = 'CountersignError'
}

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | null
  readonly docsUrl?: string | null
  readonly attempts: number
}

/** The server answered with an error. */
export class ApiError extends CountersignError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** A code of the API, or `HTTP_<status>` where the answer has none, as answers of a proxy. */
  readonly code: string
  /** Quote it in a support request. */
  readonly requestId: string | null
  /** What the code means for this request; empty on the platform API. */
  readonly details: Readonly<Record<string, unknown>>
  /** What `Retry-After` asked for; null without one. */
  readonly retryAfterMs: number | null
  /** The entry of the code in the documentation of the server; null where the answer names none. */
  readonly docsUrl: string | null
  readonly attempts: number

  constructor({ status, code, message, requestId, details, retryAfterMs, docsUrl = null, attempts }: Refusal) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.details = details
    this.retryAfterMs = retryAfterMs
    this.docsUrl = docsUrl
    this.attempts = attempts
  }
}

/** 400, 413, 415 and 422: the request has to change. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError'
}

/** 422 `POLICY_VIOLATION`: a policy refuses; `details` name it and the rule. */
export class PolicyViolationError extends ApiError {
  override readonly name = 'PolicyViolationError'
}

/** 401. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: read the present state before you decide what to do. It is never retried. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 429, after the last attempt or where the wait would be too long. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 500 and above, after the last attempt. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** There was no complete answer. A write may have been carried out; repeat it only with the same idempotency key. */
export class ConnectionError extends CountersignError {
  override readonly name: string = 'ConnectionError'
  readonly attempts: number

  constructor(message: string, attempts: number, cause?: unknown) {
    super(message, { cause })
    this.attempts = attempts
  }
}

/** No complete answer arrived in time; otherwise as a lost connection. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The answer is a success and not JSON: another program answered, for example a proxy. */
export class UnreadableAnswerError extends CountersignError {
  override readonly name = 'UnreadableAnswerError'
}

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
}

export function apiError(refusal: Refusal): ApiError {
  if (refusal.code === 'POLICY_VIOLATION') return new PolicyViolationError(refusal)
  const Kind = byStatus[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError)
  return new Kind(refusal)
}
