/** What is known about a call that failed, whatever threw it. */
import { ApiError, ConnectionError } from '@countersign/sdk'
import { SessionRefusal } from '../app/session.ts'
import { causeIn } from '../decision/cause-names.ts'

export interface Failure {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** What the server named as the cause, where a code has several. */
  readonly cause: string | null
  /** The field of the request that the server refused. */
  readonly field: string | null
}

type Refusal = ApiError | SessionRefusal

function fieldOf({ details }: Refusal): string | null {
  const { field, issues } = details as { readonly field?: unknown; readonly issues?: unknown }
  const first: unknown = Array.isArray(issues) ? issues[0] : null
  const path = typeof first === 'object' && first !== null && 'path' in first ? first.path : null
  return ([field, path].find((each) => typeof each === 'string' && each !== '') as string | undefined) ?? null
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError || error instanceof SessionRefusal) {
    const { code, status, requestId } = error
    return { code, status, requestId, cause: causeIn(error.details), field: fieldOf(error) }
  }
  return {
    code: error instanceof ConnectionError ? 'NO_ANSWER' : 'UNREADABLE',
    status: 0,
    requestId: null,
    cause: null,
    field: null,
  }
}
