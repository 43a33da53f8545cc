/** A webhook to a subject of NATS or an exchange of RabbitMQ. */
import { type BrokerType, readBrokerUrl } from '../../lib/brokers/url.ts'
import type { TransportNeeds } from '../transport.ts'
import { type WebhookTransport, webhookRules } from './destination.ts'

/**
 * JetStream drops a message whose id it has seen. The id names webhook and event: with the event alone, two webhooks
 * that publish to one stream would lose one of the two messages.
 */
export const broker = (type: BrokerType, { brokers, config, guard }: TransportNeeds): WebhookTransport => ({
  rules: webhookRules(config.webhooks.retryDelays, () => 'The broker did not accept the message.'),
  readUrl: (url) => readBrokerUrl(type, url, guard),
  send: ({ route, ...target }, { eventId, headers, body }) =>
    brokers.publish(
      { ...target, type },
      { id: eventId, deliveryId: `${target.webhookId}/${eventId}`, headers, body, route },
    ),
})
