/**
 * The delivery worker of one endpoint: reads due deliveries under its lease, sends them outside any transaction, and
 * records the outcomes. Sending continues during a step; each step writes the outcomes since the last one and reads
 * more. After a crash the lease expires and another worker takes over: deliveries in flight may arrive twice, and none
 * is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../../audit/audit.ts'
import { type LeaseEnd, leaseSeconds, renewEveryMs } from '../../../concurrency/leases.ts'
import type { Semaphore } from '../../../concurrency/semaphore.ts'
import type { Cell } from '../../../data/cells.ts'
import { isDead, isOpen, isPaused } from '../../../delivery/health.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { now, nowMs, secondsFromNow } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { Tracing } from '../../../lib/tracing.ts'
import { noteCellCause } from '../../../mail/causes.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { attempt } from './attempt.ts'
import { confirmedMessages } from './confirmed-messages.ts'
import {
  type DeliveryStep,
  type DueDelivery,
  deliveryStep,
  disableWebhook,
  type EndpointLease,
  type StepAnswer,
} from './delivery-worker-queries.ts'
import { type AttemptOutcome, afterOutcome, type Endpoint, endpointOf } from './endpoint.ts'
import type { DestinationType } from './queries.ts'

/** The most attempts in flight to one endpoint. */
export const perEndpoint = 48
/** Deliveries to read ahead, so that sending does not wait for a step: more for a fast endpoint with small events. */
const leastAhead = 2 * perEndpoint
const maxAhead = 16 * perEndpoint
const maxAheadBytes = 1024 * 1024
/** A step begins after this many outcomes, or this long after the first. */
const stepSize = 256
const stepWaitMs = 10

export interface DeliveryTools {
  readonly cell: Cell
  readonly book: LogBook
  readonly transports: Pick<Transports, DestinationType>
  readonly box: SecretBox
  readonly tracing: Tracing
  /** Attempts in flight in this process. */
  readonly inFlight: Semaphore
  /** Counts attempts by outcome. */
  readonly attempted: (outcome: string) => void
}

/** With an open breaker, attempts are made one after another for this long; an endpoint that hangs gets one attempt. */
const probingMs = 2000
const unknownVersion = 0
const maxTries = 6

export async function deliver(tools: DeliveryTools, lease: EndpointLease, stop: AbortSignal): Promise<LeaseEnd> {
  const { cell, box, inFlight } = tools
  const queue: DueDelivery[] = []
  const flying = new Set<string>()
  let ended: AttemptOutcome[] = []
  let endpoint: Endpoint | null = null
  let notify = () => {}
  /** The position to read from; null for the start. */
  let last: DueDelivery | null = null
  let ahead = leastAhead
  /** When the worker began to make one attempt at a time because the breaker is open, on the monotonic clock. */
  let probingSince: number | null = null
  let broken: { readonly error: unknown } | null = null

  const resting = (): boolean =>
    stop.aborted || !endpoint || isPaused(endpoint.health, nowMs()) || (isOpen(endpoint.health) && hasProbed())
  /** Ends the work on this endpoint, so that it does not hold a lease slot for its whole backlog. */
  const hasProbed = (): boolean => probingSince !== null && performance.now() - probingSince > probingMs
  const freeSlots = (): number => (endpoint && isOpen(endpoint.health) ? 1 : perEndpoint) - flying.size

  function launch(): void {
    if (resting()) queue.length = 0
    while (queue.length > 0 && freeSlots() > 0) send(queue.shift() as DueDelivery, endpoint as Endpoint).catch(breakOff)
  }

  /** Called for defects of this program, never for what an endpoint does. Ends this work but not the process. */
  function breakOff(error: unknown): void {
    broken ??= { error }
    queue.length = 0
    notify()
  }

  async function send(due: DueDelivery, to: Endpoint): Promise<void> {
    flying.add(due.event_id)
    probingSince = isOpen(to.health) ? (probingSince ?? performance.now()) : null
    await inFlight.acquire()
    try {
      failpoint('deliver.send')
      const outcome = await attempt(tools, to, due)
      failpoint('deliver.sent')
      to.health = afterOutcome(to.health, outcome)
      tools.attempted(outcome.row.error ?? 'success')
      ended.push(outcome)
    } finally {
      inFlight.release()
      flying.delete(due.event_id)
    }
    launch()
    notify()
  }

  /** Waits until there are enough outcomes to record, or no attempt is in flight. */
  async function gather(): Promise<void> {
    if (flying.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    let timer = setTimeout(resolve, renewEveryMs)
    let waited = false
    notify = () => {
      const starving = queue.length < perEndpoint && ended.length >= perEndpoint
      if (ended.length >= stepSize || starving || (flying.size === 0 && queue.length === 0)) return resolve()
      if (waited) return
      waited = true
      clearTimeout(timer)
      timer = setTimeout(resolve, stepWaitMs)
    }
    if (ended.length > 0) notify()
    await promise
    clearTimeout(timer)
    notify = () => {}
  }

  for (;;) {
    await gather()
    const outcomes = ended
    ended = []
    const idle = flying.size === 0 && queue.length === 0
    const after: DueDelivery | null = idle ? null : last
    // These are still due in the database, so a step that reads from the start returns them again.
    const inHand = new Set([...flying, ...queue.map(({ event_id }) => event_id)])
    const isFull = endpoint && (resting() || queue.length > ahead / 2)
    const most: number = isFull ? 0 : ahead - queue.length + (after ? 0 : inHand.size)
    // A crash without outcomes to record would test nothing.
    if (outcomes.length > 0) failpoint('deliver.record')
    const step: StepAnswer | null = await persistently(tools, {
      lease,
      knownVersion: endpoint?.version ?? unknownVersion,
      at: now(),
      until: secondsFromNow(leaseSeconds),
      outcomes: outcomes.map(({ row }) => row),
      health: endpoint && outcomes.length > 0 ? endpoint.health : null,
      after,
      most,
      idle,
    })
    if (outcomes.length > 0) failpoint('deliver.recorded')
    if (step === null) {
      // Another worker holds the lease and sends these.
      queue.length = 0
      return 'lost'
    }
    if (broken) throw (broken as { error: unknown }).error
    if (step.endpoint) endpoint = endpointOf(step.version, step.endpoint, lease, box)
    if (!step.sending) queue.length = 0
    if (step.due) {
      queue.push(...step.due.filter(({ event_id }) => !inHand.has(event_id)))
      ahead = nextAhead(ahead, step.due, most)
    }
    // At the end, reading starts over: a transaction that committed late may have written earlier positions.
    if (most > 0) last = step.due?.length === most ? (step.due?.at(-1) ?? null) : null
    // Only after a new outcome: the last failure may be days old, and the endpoint may work again since.
    if (endpoint && outcomes.length > 0 && step.sending && isDead(endpoint.health, nowMs())) {
      queue.length = 0
      await disable(cell, lease)
    }
    if (step.released) return 'done'
    launch()
  }
}

function nextAhead(ahead: number, due: readonly DueDelivery[], most: number): number {
  const bytes = due.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
  if (bytes > maxAheadBytes) return Math.max(1, ahead >> 1)
  return due.length === most && bytes < maxAheadBytes / 2 ? Math.min(maxAhead, ahead * 2) : ahead
}

/**
 * Retries a step while the database is unavailable, so that outcomes are not lost while the lease may still be held. A
 * step may be repeated, also where only its deliveries may not be sent.
 */
async function persistently({ cell, book }: DeliveryTools, step: DeliveryStep): Promise<StepAnswer | null> {
  for (let tried = 1; ; tried++) {
    try {
      const answer = await deliveryStep(cell, step)
      if (!answer?.due) return answer
      const due = await confirmedMessages(cell, book, step.lease.center_id, answer.identity, answer.due)
      return { ...answer, due }
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') || tried === maxTries) throw error
      await sleep(1000)
    }
  }
}

async function disable(cell: Cell, { center_id, webhook_id }: EndpointLease): Promise<void> {
  const reason =
    'Every delivery has failed for 5 days. Fix the endpoint, set "active" to true, and recover the held events.'
  await cell.inTenantJob(center_id, 'webhook delivery', async (tx) => {
    if (!(await disableWebhook(tx, webhook_id, reason))) return
    const target = { type: 'webhook', id: typedId('webhook', webhook_id) }
    await audit(tx, { type: 'webhook.changed', action: 'disabled', target })
    const facts = { id: target.id }
    await noteCellCause(tx, { id: `webhook ${webhook_id} ${newUuid()}`, event: 'webhookFailing', facts })
  })
}
