/** Where a webhook sends events: a URL, or a place in a broker. */
import { Type } from 'typebox'
import { oneOf } from './enums.ts'

export const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response.',
  examples: ['https://hooks.example.org/countersign'],
})
export const DestinationType = oneOf(
  'DestinationType',
  ['http', 'nats', 'rabbitmq'],
  'How events are sent: `http` posts them to a URL, `nats` publishes to a JetStream stream, `rabbitmq` publishes to an exchange.',
)
export const routes = {
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[A-Za-z0-9_/=:-]+(\\.[A-Za-z0-9_/=:-]+)*$',
      description: 'For `nats`: the subject, without wildcards. A stream must store it.',
      examples: ['countersign.events'],
    }),
  ),
  exchange: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^[ -~]*$',
      description: 'For `rabbitmq`: an exchange that exists. Leave empty for the default exchange.',
      examples: ['countersign'],
    }),
  ),
  routingKey: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^[ -~]*$',
      description: 'For `rabbitmq`: the routing key. With the default exchange, the name of a queue.',
      examples: ['events'],
    }),
  ),
}
