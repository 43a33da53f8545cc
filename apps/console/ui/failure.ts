/** What is known about a call that failed, whatever threw it. */
import { ApiError, ConnectionError } from '@countersign/sdk'
import { SessionRefusal } from '../app/session.ts'

export interface Failure {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** What the server named as the cause, where a code has several. */
  readonly cause: string | null
}

function causeOf(error: ApiError | SessionRefusal): string | null {
  const { reason, by } = error.details as { readonly reason?: unknown; readonly by?: unknown }
  if (typeof reason !== 'string') return null
  return typeof by === 'string' ? `${reason}.${by}` : reason
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError || error instanceof SessionRefusal) {
    const { code, status, requestId } = error
    return { code, status, requestId, cause: causeOf(error) }
  }
  return {
    code: error instanceof ConnectionError ? 'NO_ANSWER' : 'UNREADABLE',
    status: 0,
    requestId: null,
    cause: null,
  }
}
