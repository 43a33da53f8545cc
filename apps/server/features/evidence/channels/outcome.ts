/** What an answer of a chat program means for a channel. Pure. */

import type { Exchange } from '../../../lib/outbound-http.ts'
import { retryAfterMs } from '../../../lib/retry-after.ts'

export interface ChannelHealth {
  readonly failures: number
  readonly failing_since: Date | null
}

/**
 * `sent`: accepted. `later`: tried again at `at`. `dropped`: this message is not wanted, the next one may be. `gone`: the channel
 * takes no message any more, until a test succeeds.
 */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly at: Date; readonly message: string }
  | { readonly kind: 'dropped' | 'gone'; readonly message: string }

const minute = 60_000
const pauses = [1, 5, 15, 60].map((minutes) => minutes * minute)
/** Like a webhook. */
const deadAfterMs = 5 * 24 * 60 * minute

/** Slack answers with a word such as no_service or invalid_payload; anything longer is not repeated. */
const reasonIn = (excerpt: string): string => {
  const word = excerpt.trim()
  return /^[a-z_]{1,40}$/.test(word) ? ` (${word})` : ''
}

export function outcomeOf(exchange: Exchange, health: ChannelHealth, at: Date): Outcome {
  const { responseStatus: status, retryAfter, excerpt } = exchange
  if (status !== null && status >= 200 && status < 300) return { kind: 'sent' }
  const message = exchange.message ?? `The chat program answered ${status}${reasonIn(excerpt)}.`
  if (status !== null && [401, 403, 404, 410].includes(status)) return { kind: 'gone', message }
  const isPassing = status === null || status >= 500 || status < 400 || [408, 425, 429].includes(status)
  if (!isPassing) return { kind: 'dropped', message }
  if (health.failing_since && at.getTime() - health.failing_since.getTime() >= deadAfterMs) {
    return { kind: 'gone', message: `Every message has failed for 5 days. ${message}` }
  }
  const pause = pauses[Math.min(health.failures, pauses.length - 1)] as number
  const asked = status === 429 || status === 503 ? (retryAfterMs(retryAfter, at.getTime()) ?? 0) : 0
  return { kind: 'later', at: new Date(at.getTime() + Math.max(pause, asked)), message }
}
