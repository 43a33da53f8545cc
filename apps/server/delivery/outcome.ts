/** What a response means for a message, and for its target. Pure. */
import type { Exchange } from '../lib/outbound-http.ts'
import { nextAttemptAt, type Schedule } from './schedule.ts'

/**
 * `later`: sent again at `at`. `given_up`: this message is not sent again, but later messages are. `gone`: the target accepts no
 * more messages.
 */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'later'; readonly at: Date; readonly reason: string }
  | { readonly kind: 'given_up' | 'gone'; readonly reason: string }

/** How the answers of a transport are read. */
export interface AnswerRules {
  readonly schedule: Schedule
  /** Statuses that mean that the target no longer exists. */
  readonly gone: readonly number[]
  /** Whether a permanent refusal ends the message, or is retried like any other failure. */
  readonly refusals: 'final' | 'retried'
  /** For people, where the exchange has no message. */
  readonly answered: (exchange: Exchange) => string
}

/** A broker has no status: it acknowledged, or there is an error. */
export const isDelivered = ({ responseStatus: status, error }: Exchange): boolean =>
  error === null && (status === null || (status >= 200 && status < 300))

/** A server that does not answer, fails, is busy or has moved may respond differently later. */
const passes = (status: number | null): boolean =>
  status === null || status >= 500 || status < 400 || [408, 425, 429].includes(status)

const delivered = { kind: 'delivered' } as const

/** `failures` in a row, the one of this exchange included. */
export function outcomeOf(exchange: Exchange, rules: AnswerRules, failures: number, at: Date): DeliveryOutcome {
  if (isDelivered(exchange)) return delivered
  const { responseStatus: status, retryAfter } = exchange
  const reason = exchange.message ?? rules.answered(exchange)
  if (status !== null && rules.gone.includes(status)) return { kind: 'gone', reason }
  if (rules.refusals === 'final' && !passes(status)) return { kind: 'given_up', reason }
  const next = nextAttemptAt(rules.schedule, failures, { status, retryAfter, at })
  return next ? { kind: 'later', at: next, reason } : { kind: 'given_up', reason }
}
