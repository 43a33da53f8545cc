/** When a message is sent again. Pure. There is no jitter, because the API returns the time of the next attempt. */
import { retryAfterMs } from '../lib/retry-after.ts'

export interface Schedule {
  /** Seconds after each failure in a row. */
  readonly pauses: readonly number[]
  /** After the last pause: `repeat` it, until the message expires, or `end`. */
  readonly afterwards: 'repeat' | 'end'
}

/** Pauses that double. */
export const doubling = (seconds: number, times: number): Schedule => ({
  pauses: Array.from({ length: times }, (_, n) => seconds * 2 ** n),
  afterwards: 'repeat',
})

/** The part of a response that decides when the next attempt is made. */
export interface Reply {
  /** Null when there was no answer, and for what has no statuses. */
  readonly status: number | null
  readonly retryAfter: string | null
  readonly at: Date
}

/** Other statuses are ignored: a 301 or a 500 may have the header for caches and browsers. */
const askedWait = ({ status, retryAfter, at }: Reply): number | null =>
  status === 429 || status === 503 ? retryAfterMs(retryAfter, at.getTime()) : null

/**
 * After `failures` in a row, this one included. Null after the last attempt: a longer wait that the other side asks for does not add
 * an attempt.
 */
export function nextAttemptAt({ pauses, afterwards }: Schedule, failures: number, reply: Reply): Date | null {
  const pause = pauses[failures - 1] ?? (afterwards === 'repeat' ? pauses.at(-1) : undefined)
  if (pause === undefined) return null
  return new Date(reply.at.getTime() + Math.max(Math.round(pause * 1000), askedWait(reply) ?? 0))
}

/** A consumer that asks for a pause means all its messages, so it gets nothing until then. */
export function pauseUntil(reply: Reply): Date | null {
  const wait = askedWait(reply)
  return wait === null ? null : new Date(reply.at.getTime() + wait)
}
