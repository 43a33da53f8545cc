/** How a held call ends: what its agent is told, and the label of its outcome in the metrics. */
import { failureText } from '@countersign/mcp'
import { ApiError, ConnectionError, RateLimitError, ServerError, UnreadableAnswerError } from '@countersign/sdk'
import { GuardError } from '@countersign/sdk/guard'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Phase } from './journal.ts'
import { UpstreamAwayError } from './upstream.ts'

/** The server said no, or wasn't reached. */
export class FailedCallError extends Error {
  readonly result: CallToolResult
  constructor(message: string, result: CallToolResult) {
    super(message)
    this.result = result
  }
}

/** The gateway doesn't forward the call, whatever was approved. */
export class NotRunError extends Error {
  readonly outcome: string
  constructor(outcome: string, message: string) {
    super(message)
    this.outcome = outcome
  }
}

export interface End {
  readonly result: CallToolResult
  readonly outcome: string
}

export const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** What may pass by itself: the call goes on. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof UnreadableAnswerError ||
  error instanceof ServerError ||
  error instanceof RateLimitError ||
  error instanceof UpstreamAwayError

const unknown: End = {
  outcome: 'unknown',
  result: failed(
    "The call was forwarded, and there is no answer. It may or may not have taken effect: check that before you do anything else. It isn't sent again.",
  ),
}

const texts: Readonly<Record<string, string>> = {
  refused: 'The call was refused.',
  expired: 'Nobody decided in time, so the request expired.',
  replaced: 'The request was replaced by another one.',
  withdrawn: 'The request was withdrawn.',
  frozen: "This agent or this kind of action has been stopped. Don't look for another way; tell the user.",
}

/** The end of a call after this error; null if it goes on. `kept` is the answer in the journal. */
export function endOf(error: unknown, phase: Phase | null, kept: CallToolResult | null): End | null {
  if (error instanceof FailedCallError) return { result: error.result, outcome: 'failed' }
  if (mayPass(error) || (error instanceof GuardError && error.reason === 'waiting')) return null
  // Whatever the reason: of a call that was forwarded, nobody says that it wasn't run.
  if (phase !== 'open') return kept ? { result: kept, outcome: 'done' } : unknown
  if (error instanceof GuardError) {
    if (error.reason === 'unknown') return unknown
    // Another attempt has ended this decision, and this journal doesn't know of it.
    if (error.reason === 'done') return { result: failed(error.message), outcome: 'done' }
    return { result: failed(`${texts[error.reason] ?? error.message} The call wasn't run.`), outcome: error.reason }
  }
  if (error instanceof NotRunError) {
    return { result: failed(`${error.message} The call wasn't run.`), outcome: error.outcome }
  }
  if (error instanceof ApiError) return { result: failed(failureText(error) ?? error.message), outcome: 'rejected' }
  return { result: failed("Something went wrong in the gateway. The call wasn't run."), outcome: 'defect' }
}
