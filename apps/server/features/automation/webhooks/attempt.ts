/** One delivery attempt: makes, signs and sends the body, and turns the response into the row that is recorded. */
import { traceparent } from '@countersign/contract/trace-context.ts'
import { type AnswerRules, outcomeOf } from '../../../delivery/outcome.ts'
import { pauseUntil } from '../../../delivery/schedule.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { Exchange } from '../../../lib/outbound-http.ts'
import type { Span, Tracing } from '../../../lib/tracing.ts'
import type { DueDelivery } from './delivery-worker-queries.ts'
import type { AttemptOutcome, Endpoint } from './endpoint.ts'
import type { DestinationType } from './queries.ts'
import { afterRefusal, chooseSecret, liveSecrets } from './rotation.ts'
import { deliveryHeaders, envelopeBody } from './signing.ts'

interface AttemptTools {
  readonly transports: Pick<Transports, DestinationType>
  readonly tracing: Tracing
}

export async function attempt(
  { transports, tracing }: AttemptTools,
  endpoint: Endpoint,
  due: DueDelivery,
): Promise<AttemptOutcome> {
  const number = due.attempts + 1
  const eventId = due.public_id ?? typedId('webhookEvent', due.event_id)
  if (due.data === null) return expired(due, number)
  const at = now()
  const live = liveSecrets(endpoint.secrets, at.getTime())
  const used = chooseSecret({ live, wanted: due.sign_with, learned: endpoint.health.learned_secret })
  const createdAt = new Date(due.created_at).toISOString()
  const body = Buffer.from(envelopeBody({ id: eventId, type: due.type, createdAt, data: due.data, attempt: number }))
  const headers = deliveryHeaders({
    body,
    eventId,
    attempt: number,
    at,
    secrets: live.map(({ key }) => key),
    signing: live.find(({ id }) => id === used)?.key,
  })
  const facts = { 'messaging.message.id': eventId, 'countersign.attempt': number }
  const span = tracing.start('client', 'deliver webhook', facts)
  if (span) headers.traceparent = traceparent(span.trace)
  const { send, rules } = transports[endpoint.destination.type]
  const exchange = await send(endpoint.destination, { eventId, headers, body })
  endSpan(span, exchange)
  return recorded(exchange, { due, number, used, rules, live: liveSecrets(endpoint.secrets, now().getTime()) })
}

function endSpan(span: Span | null, { responseStatus: status, error }: Exchange): void {
  const isRefused = status !== null && (status < 200 || status > 299)
  span?.end(
    status === null ? {} : { 'http.response.status_code': status },
    error ?? (isRefused ? String(status) : null),
  )
}

interface Made {
  readonly due: DueDelivery
  readonly number: number
  readonly used: string
  readonly live: AttemptOutcome['live']
  readonly rules: AnswerRules
}

function recorded(exchange: Exchange, { due, number, used, live, rules }: Made): AttemptOutcome {
  const at = now()
  const { responseStatus: status, retryAfter } = exchange
  const failedInCycle = due.failed_in_cycle + 1
  const outcome = outcomeOf(exchange, rules, failedInCycle, at)
  const arrived = outcome.kind === 'delivered'
  return {
    used,
    live,
    pauseUntil: arrived ? null : pauseUntil({ status, retryAfter, at }),
    row: {
      event_id: due.event_id,
      number,
      at: at.toISOString(),
      ms: Math.round(exchange.ms),
      response_status: status,
      excerpt: exchange.excerpt,
      error: arrived ? null : (exchange.error ?? 'http'),
      message: arrived ? null : outcome.reason,
      status: arrived ? 'success' : 'failed',
      failed_in_cycle: arrived ? due.failed_in_cycle : failedInCycle,
      next_at: outcome.kind === 'later' ? outcome.at.toISOString() : null,
      sign_with: arrived ? null : (afterRefusal({ live, used, status }) ?? due.sign_with),
    },
  }
}

/** For a delivery that was recovered or retried after its payload was deleted. */
const expired = (due: DueDelivery, number: number): AttemptOutcome => ({
  used: null,
  live: [],
  pauseUntil: null,
  row: {
    event_id: due.event_id,
    number,
    at: now().toISOString(),
    ms: 0,
    response_status: null,
    excerpt: '',
    error: 'expired',
    message: 'The event is older than the retention period, so its payload was deleted and nothing was sent.',
    status: 'failed',
    failed_in_cycle: due.failed_in_cycle + 1,
    next_at: null,
    sign_with: null,
  },
})
