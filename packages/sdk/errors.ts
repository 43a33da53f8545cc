/** The SDK's errors. Use `instanceof` and `code` to tell them apart. */

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

/** The server returned an error. */
export class ApiError extends CountersignError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** The API's error code, or `HTTP_<status>` if the response has none, such as one from a proxy. */
  readonly code: string
  /** Quote it in a support request. */
  readonly requestId: string | null
  /** Details of the error for this request; empty on the platform API. */
  readonly details: Readonly<Record<string, unknown>>
  /** The wait from `Retry-After`; null if the response has none. */
  readonly retryAfterMs: number | null
  /** The server's documentation of this error code; null if the response doesn't link to it. */
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

/** 400, 413, 415 and 422: the request is invalid; change it before you send it again. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError'
}

/** 422 `POLICY_VIOLATION`: a policy refused the request; `details` names the policy and the guard. */
export class PolicyViolationError extends ApiError {
  override readonly name = 'PolicyViolationError'
}

/** 401: the credential is missing, invalid or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the credential isn't allowed to do this. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404: there's nothing with this ID, or you can't see it. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: the request conflicts with the current state. Read that state before you decide what to do. Never retried. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 429: too many requests. Thrown after the last attempt, or if the wait would be too long. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 500 and above: the server failed. Thrown after the last attempt. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** There was no complete response. A write may have taken effect; retry it only with the same idempotency key. */
export class ConnectionError extends CountersignError {
  override readonly name: string = 'ConnectionError'
  readonly attempts: number

  constructor(message: string, attempts: number, cause?: unknown) {
    super(message, { cause })
    this.attempts = attempts
  }
}

/** No complete response arrived in time; otherwise like `ConnectionError`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The response is a success but isn't JSON: something else responded, such as a proxy. */
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
