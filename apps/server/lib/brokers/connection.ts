/** What the two kinds of brokers have in common. */
import type { Socket } from 'node:net'
import type { BrokerUrl, Credentials } from './url.ts'

export interface BrokerMessage {
  /** The id that a consumer recognizes a repeat by: that of the event. */
  readonly id: string
  /** The id that the broker recognizes a repeat by: one event for one webhook. */
  readonly deliveryId: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** `subject` for NATS, the other two for RabbitMQ. */
  readonly route: BrokerRoute
}

export interface BrokerRoute {
  readonly subject?: string | undefined
  readonly exchange?: string | undefined
  readonly routingKey?: string | undefined
}

export interface BrokerConnection {
  /** What the broker answered, once it has stored the message. Rejects with an OutboundFailure. */
  publish(message: BrokerMessage): Promise<string>
  /** Resolves when the connection has ended, by either side. */
  readonly ended: Promise<void>
  close(): void
}

export interface BrokerLogin {
  readonly url: BrokerUrl
  readonly credentials: Credentials | null
  /** Opens a socket to a checked address, without TLS. The pool ends it where opening takes too long. */
  openSocket(): Promise<Socket>
  readonly ca: string | undefined
  readonly timeoutMs: number
}
