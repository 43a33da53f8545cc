/** Failures as an agent reads them: what failed, and what to do. */
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  PolicyViolationError,
  RateLimitError,
  ServerError,
  UnreadableAnswerError,
  ValidationError,
} from '@countersign/sdk'
import { GuardError } from '@countersign/sdk/guard'

/** A refusal by a tool itself; the message says what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Null for an unexpected error: it is a defect, and its text is for a log. */
export function failureText(error: unknown): string | null {
  if (error instanceof ToolError) return error.message
  if (error instanceof GuardError) {
    return `${error.message} Do not run the action. If witnesses are still to sign, call again in a few seconds; else tell the user.`
  }
  if (error instanceof ConnectionError || error instanceof UnreadableAnswerError) {
    return `Countersign could not be reached: ${error.message} Try again later; do not run the action meanwhile.`
  }
  if (!(error instanceof ApiError)) return null
  const { code, message, requestId } = error
  const request = requestId ? ` (request ${requestId})` : ''
  return `${code}: ${message} ${adviceOf(error)}${request}`
}

function adviceOf(error: ApiError): string {
  const { details, retryAfterMs } = error
  if (error instanceof AuthenticationError) {
    return 'The API key is wrong, revoked or expired: ask the user to configure a valid one.'
  }
  if (error instanceof PermissionError) return 'Do not repeat the call with this key; tell the user what it lacks.'
  if (error instanceof NotFoundError) return 'Check the id: it is the eventId that request_approval returned.'
  if (error instanceof PolicyViolationError) {
    return details.guard === 'action'
      ? 'Do not run the action: it is not the approved one. Request an approval for what you want to run.'
      : 'Do not run the action; tell the user.'
  }
  if (error instanceof ConflictError && (details.reason === 'stale' || details.reason === 'policy')) {
    return 'The approval can no longer be used: do not run the action. Call request_approval again with a new idempotencyKey.'
  }
  if (error instanceof ConflictError) {
    return typeof details.executor === 'string'
      ? `The attempt ${details.executor} has taken it: do not run the action. If that was you and you do not know whether it ran, report_outcome takes unknown with this executor.`
      : 'Read its state with get_decision before you do anything else.'
  }
  if (error instanceof RateLimitError)
    return `Wait ${Math.ceil((retryAfterMs ?? 1000) / 1000)} seconds, then repeat the call.`
  if (error instanceof ServerError) return 'Repeat the call in a few seconds; do not run the action meanwhile.'
  if (error instanceof ValidationError) return `Correct the arguments.${issuesOf(details)}`
  return ''
}

function issuesOf({ issues }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(issues) && issues.length > 0 ? ` ${JSON.stringify(issues.slice(0, 5))}` : ''
}
