/** A way to send, and one message with its way. */
import type { Config } from '../config/config.ts'
import type { AddressGuard } from '../lib/address-guard.ts'
import type { Brokers } from '../lib/brokers/pool.ts'
import type { Exchange, Outbound } from '../lib/outbound-http.ts'
import type { AnswerRules } from './outcome.ts'

/** What transports are made of: whatever calls a server that others name passes the guard of its addresses. */
export interface TransportNeeds {
  readonly config: Pick<Config, 'mailFrom' | 'notificationHosts' | 'smtpUrl' | 'text' | 'vapidKey' | 'webhooks'>
  readonly guard: AddressGuard
  readonly outbound: Outbound
  readonly brokers: Brokers
}

export interface Transport<Target, Message> {
  readonly rules: AnswerRules
  /** Why nothing may be sent there; checked before each message, because settings may have changed since the target was stored. */
  refusalOf?(target: Target): string | null
  /** Never throws for what the other side does, and always ends before a lease does. */
  send(target: Target, message: Message): Promise<Exchange>
}

/** One message for one target, with its transport. */
export interface Letter {
  readonly rules: AnswerRules
  refusal(): string | null
  send(): Promise<Exchange>
}

export const letter = <T, M>(transport: Transport<T, M>, target: T, message: M): Letter => ({
  rules: transport.rules,
  refusal: () => transport.refusalOf?.(target) ?? null,
  send: () => transport.send(target, message),
})
