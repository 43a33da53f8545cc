/** The error that domain code throws. The HTTP layer renders it in the error format of the path. */
import type { ErrorCode } from '@countersign/contract/errors.ts'

export interface ProblemOptions {
  readonly details?: Record<string, unknown>
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** Only where the table's status does not fit, as 413 for an oversized body. */
  readonly status?: number
  readonly cause?: unknown
  /** The same request may succeed later, so its Idempotency-Key is free again. */
  readonly passing?: boolean
}

export class Problem extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>
  readonly retryAfter: number | undefined
  readonly status: number | undefined
  readonly passing: boolean

  constructor(code: ErrorCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
    this.retryAfter = options.retryAfter
    this.status = options.status
    this.passing = options.passing ?? false
  }
}

/** What the schema of the request accepts and the server does not, in the form of request validation. */
export const refusedField = (
  path: string,
  message: string,
  whole = `"${path}" ${message}.`,
  reason?: string,
): Problem =>
  new Problem('VALIDATION_ERROR', whole, { details: { issues: [{ path, message }], ...(reason && { reason }) } })

/** A center has as many of these things as it may have. */
export const limitReached = (reason: string, most: number, things: string, remedy: string): Problem =>
  new Problem(
    'FORBIDDEN',
    `This center already has ${most} ${things}, the maximum. ${remedy}, or ask the operator for more.`,
    { details: { reason } },
  )

/** `why` is a sentence without its period. */
export const unavailable = (why: string, cause?: unknown): Problem => notReady(`${why}, so nothing was changed.`, cause)

/** Something that comes by itself isn't there yet; `what` is a sentence. */
export const notReady = (what: string, cause?: unknown): Problem =>
  new Problem('SERVICE_UNAVAILABLE', `${what} Try again in a moment; if this keeps happening, contact the operator.`, {
    retryAfter: 1,
    cause,
  })

/** For what was still waiting to be processed. Nobody reads the answer. */
export const clientClosed = (): Problem => new Problem('SERVICE_UNAVAILABLE', 'The client closed the connection.')

/** Waiting doesn't help until somebody makes room. */
export const storageFull = (cause?: unknown): Problem =>
  new Problem('SERVICE_UNAVAILABLE', "The service's storage is full, so nothing was changed. Contact the operator.", {
    retryAfter: 1,
    cause,
  })

/** The person of the session has to show that it is them; then the same request passes. */
export const stepUpNeeded = (why: string): Problem =>
  new Problem(
    'FORBIDDEN',
    `${why} Send your password or a passkey to POST /api/auth/step-up, then repeat the request.`,
    {
      details: { reason: 'stepUp' },
      passing: true,
    },
  )

/** The same, where a password is not enough. */
export const passkeyNeeded = (why: string): Problem =>
  new Problem('FORBIDDEN', `${why} Send a passkey to POST /api/auth/step-up, then repeat the request.`, {
    details: { reason: 'stepUp', by: 'passkey' },
    passing: true,
  })
