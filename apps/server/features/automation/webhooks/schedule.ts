/** When the next attempt is made. Pure. There is no jitter, because the API returns `nextRetryAt`. */
import { retryAfterMs } from '../../../lib/retry-after.ts'

export interface ConsumerAnswer {
  /** Null when there was no answer. */
  readonly status: number | null
  readonly retryAfter: string | null
  readonly at: Date
}

/** Other statuses are ignored: a 301 or a 500 may have the header for caches and browsers. */
const askedWait = ({ status, retryAfter, at }: ConsumerAnswer): number | null =>
  status === 429 || status === 503 ? retryAfterMs(retryAfter, at.getTime()) : null

export interface FailedAttempt extends ConsumerAnswer {
  /** Seconds before each attempt of a cycle, the first included. */
  readonly delays: readonly number[]
  /** Failed attempts of this cycle, this one included. A manual retry begins a new cycle. */
  readonly failedInCycle: number
}

/** Null after the last attempt: `Retry-After` does not add an attempt. */
export function nextAttemptAt({ delays, failedInCycle, ...answer }: FailedAttempt): Date | null {
  const delay = delays[failedInCycle]
  if (delay === undefined) return null
  return new Date(answer.at.getTime() + Math.max(Math.round(delay * 1000), askedWait(answer) ?? 0))
}

/** A consumer that asks for a pause means all its events, so the endpoint gets nothing until then. */
export function pauseUntil(answer: ConsumerAnswer): Date | null {
  const wait = askedWait(answer)
  return wait === null ? null : new Date(answer.at.getTime() + wait)
}
