/** What the transports of webhooks have in common: a stored destination, and a signed message. */
import type { BrokerRoute } from '../../lib/brokers/connection.ts'
import type { BrokerTarget } from '../../lib/brokers/pool.ts'
import type { AnswerRules } from '../outcome.ts'
import type { Transport } from '../transport.ts'

export interface Destination extends Omit<BrokerTarget, 'type'> {
  readonly type: BrokerTarget['type'] | 'http'
  readonly route: BrokerRoute
}

export interface SignedMessage {
  readonly eventId: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The address as it is shown, and the credentials that were part of it. */
export interface ReadUrl {
  readonly shown: string
  readonly userinfo: string | null
}

export interface WebhookTransport extends Transport<Destination, SignedMessage> {
  /** Reads what a customer gives as URL, or says what is wrong with it. */
  readUrl(url: string): ReadUrl | string
}

/** `delays` are the seconds before each attempt, the first included. A refusal may be temporary, so it is retried too. */
export const webhookRules = (delays: readonly number[], answered: AnswerRules['answered']): AnswerRules => ({
  schedule: { pauses: delays.slice(1), afterwards: 'end' },
  gone: [],
  refusals: 'retried',
  answered,
})
