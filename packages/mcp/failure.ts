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
    return `${error.message} Don't run the action. If witnesses haven't cosigned the proof yet, try again in a few seconds; otherwise, tell the user.`
  }
  if (error instanceof ConnectionError || error instanceof UnreadableAnswerError) {
    return `Couldn't reach Countersign: ${error.message} Don't run the action; try again later.`
  }
  if (!(error instanceof ApiError)) return null
  const { code, message, requestId } = error
  const request = requestId ? ` (request ${requestId})` : ''
  const advice = adviceOf(error)
  return `${code}: ${message}${advice && ` ${advice}`}${request}`
}

function adviceOf(error: ApiError): string {
  const { details, retryAfterMs } = error
  if (error instanceof AuthenticationError) {
    return 'The API key is invalid, revoked or expired. Ask the user to configure a valid one.'
  }
  if (error instanceof PermissionError) return "Don't retry with this key; tell the user what permission is missing."
  if (error instanceof NotFoundError) return 'Check the ID: use the eventId that request_approval returned.'
  if (error instanceof PolicyViolationError) {
    return details.guard === 'action'
      ? "Don't run the action: it isn't the one that was approved. Request approval for the action you want to run."
      : "Don't run the action; tell the user."
  }
  if (error instanceof ConflictError && (details.reason === 'stale' || details.reason === 'policy')) {
    return "The approval can no longer be used, so don't run the action. Call request_approval again with a new idempotencyKey."
  }
  if (error instanceof ConflictError && details.reason === 'unconfirmed') {
    return "The emergency approval was objected to or not confirmed in time, so don't run the action and don't request it again. Tell the user."
  }
  if (error instanceof ConflictError && details.reason === 'frozen') {
    return "The action is stopped, so don't run it and don't look for another way. Tell the user. When the stop is lifted, repeat the call with the same idempotencyKey."
  }
  if (error instanceof ConflictError) {
    return typeof details.executor === 'string'
      ? `Don't run the action: the attempt ${details.executor} has already consumed the decision. If that was you and you don't know whether the action ran, call report_outcome with unknown and this executor.`
      : "Call get_decision to check the decision's status before you do anything else."
  }
  if (error instanceof RateLimitError) {
    // The API says how long, and a model that reads it twice adds it up.
    return /\b(?:Wait|Try again in) \d/.test(error.message)
      ? ''
      : `Wait ${Math.ceil((retryAfterMs ?? 1000) / 1000)} seconds, then try again.`
  }
  if (error instanceof ServerError) return "Don't run the action; try again in a few seconds."
  if (error instanceof ValidationError) return `Fix the arguments and try again.${issuesOf(details)}`
  return ''
}

function issuesOf({ issues }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(issues) && issues.length > 0 ? ` ${JSON.stringify(issues.slice(0, 5))}` : ''
}
