/** Where a webhook sends events: a URL, or a place in a broker. */
import { Type } from 'typebox'
import { oneOf } from './enums.ts'

export const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Where the server posts or publishes events: `https://`, `tls://` for NATS, or `amqps://` for RabbitMQ, and no address of a private network. User and password are for brokers only; no reply shows them',
  examples: ['https://hooks.example.org/countersign'],
})
export const DestinationType = oneOf(
  'DestinationType',
  ['http', 'nats', 'rabbitmq'],
  '`http`: posted to a URL; `nats`: published to a stream of JetStream; `rabbitmq`: published to an exchange',
)
export const routes = {
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[A-Za-z0-9_/=:-]+(\\.[A-Za-z0-9_/=:-]+)*$',
      description: 'Of `nats`: the subject, without wildcards. A stream must store it',
      examples: ['countersign.events'],
    }),
  ),
  exchange: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^[ -~]*$',
      description: 'Of `rabbitmq`: an exchange that exists; empty for the default exchange',
      examples: ['countersign'],
    }),
  ),
  routingKey: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^[ -~]*$',
      description: 'Of `rabbitmq`: the routing key; with the default exchange the name of a queue',
      examples: ['events'],
    }),
  ),
}
