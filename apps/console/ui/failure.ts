/** What is known about a call that failed, whatever threw it. */
import { ApiError, ConnectionError } from '@countersign/sdk'
import { SessionRefusal } from '../app/session.ts'

export interface Failure {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError || error instanceof SessionRefusal) {
    const { code, status, requestId } = error
    return { code, status, requestId }
  }
  return { code: error instanceof ConnectionError ? 'NO_ANSWER' : 'UNREADABLE', status: 0, requestId: null }
}
