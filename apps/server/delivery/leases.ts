/**
 * The claim loop of messages: takes due rows under a lease, sends each outside any transaction, and records the outcome under the
 * lease. A crash between the two repeats a message after the lease has expired, and loses none.
 */
import type { Logger } from 'pino'
import { type Lease, type LeaseStore, leaseWorker } from '../concurrency/leases.ts'
import { now } from '../lib/clock.ts'
import { type AnswerRules, type DeliveryOutcome, outcomeOf } from './outcome.ts'
import { nextAttemptAt } from './schedule.ts'
import type { Letter } from './transport.ts'

/** Longer than any transport takes, so that a lease does not expire under its worker. */
const seconds = 60

export interface OutboxParts<L extends Lease> {
  /** In failpoints and in the log. */
  readonly name: string
  readonly store: LeaseStore<L>
  /** How many messages are sent at a time. */
  readonly most: number
  readonly log: Logger
  readonly fields: (lease?: L) => object
  /** How often it failed in a row before this attempt. */
  readonly failures: (lease: L) => number
  readonly rules: AnswerRules
  /** Null if there is nothing left to send, `gone` if the target no longer exists. */
  readonly letterOf: (lease: L) => Promise<Letter | 'gone' | null>
  /** Records the outcome under the lease; null if there was nothing to send. */
  readonly record: (lease: L, outcome: DeliveryOutcome | null) => Promise<unknown>
}

export interface Outbox {
  /** Sends what is due; returns how many messages were delivered meanwhile. */
  sendDue(): Promise<number>
  /** The same after a commit, without waiting; the next call finds what this one leaves. */
  soon(): void
  /** Waits for what is being sent: a stop between sending and recording would send it twice. */
  close(): Promise<void>
}

export function outbox<L extends Lease>(parts: OutboxParts<L>): Outbox {
  const { name, store, most, log, fields, failures, rules } = parts
  const sending = new Set<Promise<unknown>>()
  let delivered = 0

  async function outcomeFor(lease: L): Promise<DeliveryOutcome | null> {
    const found = await parts.letterOf(lease)
    if (found === null) return null
    const refusal = found === 'gone' ? '' : found.refusal()
    if (found === 'gone' || refusal !== null) return { kind: 'gone', reason: refusal ?? '' }
    return outcomeOf(await found.send(), found.rules, failures(lease) + 1, now())
  }

  const worker = leaseWorker<L>({
    name,
    store,
    most,
    seconds,
    async work(lease) {
      const outcome = await outcomeFor(lease)
      await parts.record(lease, outcome)
      if (outcome?.kind === 'delivered') delivered++
      else if (outcome) log.warn({ ...fields(lease), reason: outcome.reason }, `${name}: ${said[outcome.kind]}`)
      return 'done'
    },
    retryAt: (lease) =>
      nextAttemptAt(rules.schedule, failures(lease) + 1, { status: null, retryAfter: null, at: now() }) ?? now(),
    log,
    fields,
  })

  async function sendDue(): Promise<number> {
    const before = delivered
    await worker.drain()
    return delivered - before
  }

  return {
    sendDue,
    soon() {
      const round = sendDue()
        .catch((err: unknown) => log.warn({ err }, `${name}: not sent; the job will try again`))
        .finally(() => sending.delete(round))
      sending.add(round)
    },
    close: async () => {
      await Promise.all(sending)
    },
  }
}

const said = {
  later: 'not delivered; it will be tried again',
  given_up: 'not delivered, and not tried again',
  gone: 'not delivered; the target takes no messages any more',
} as const
