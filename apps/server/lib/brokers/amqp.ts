/** Publishes to RabbitMQ, over AMQP 0-9-1. A message counts once the broker has routed it to a queue and confirmed it. */
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib'
import { OutboundFailure, tlsIdentity, tlsReason } from '../guarded-connect.ts'
import type { BrokerConnection, BrokerLogin, BrokerMessage } from './connection.ts'

/** The largest frame that is read. A publisher receives confirms and the messages that could not be routed. */
const maxFrameBytes = 256 * 1024

export async function openAmqp({
  url,
  credentials,
  openSocket,
  ca,
  timeoutMs,
}: BrokerLogin): Promise<BrokerConnection> {
  // With TLS the library encrypts the socket that it is given. Without, it connects by itself: only an address that the
  // operator lists is allowed without TLS, never a name, so there is nothing to look up.
  const socket = url.isSecure ? await openSocket() : null
  let model: ChannelModel
  let channel: ConfirmChannel
  let broken: unknown = null
  try {
    model = await connect(
      {
        protocol: url.isSecure ? 'amqps' : 'amqp',
        hostname: url.host,
        port: url.port,
        vhost: encodeURIComponent(url.vhost),
        ...(credentials && { username: credentials.user, password: credentials.password ?? '' }),
        heartbeat: 20,
        maxFrameSize: maxFrameBytes,
      },
      {
        ...(socket && { socket, ...tlsIdentity(url.host, ca) }),
        noDelay: true,
        timeout: timeoutMs,
        clientProperties: { connection_name: 'countersign' },
      },
    )
    model.on('error', (error) => {
      broken ??= error
    })
    channel = await model.createConfirmChannel()
  } catch (error) {
    socket?.destroy()
    throw openingFailure(error)
  }
  const returned = new Set<string>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const close = () => {
    // A broker that does not answer is left after its heartbeats have failed.
    model.close().catch(() => {})
    end()
  }
  channel.on('return', ({ properties }) => returned.add(String(properties.messageId)))
  // An exchange that does not exist ends the channel, and so this connection: the next attempt opens another.
  channel.on('error', (error) => {
    broken ??= error
  })
  channel.on('close', close)
  model.on('close', end)

  const send = ({ id, headers, body, route }: BrokerMessage): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = {
        mandatory: true,
        persistent: true,
        messageId: id,
        contentType: 'application/json',
        appId: 'countersign',
        timestamp: Number(headers['webhook-timestamp']),
        headers,
      }
      try {
        // The broker returns what it cannot route, and then confirms it.
        channel.publish(route.exchange ?? '', route.routingKey ?? '', body, options, (error) => {
          if (returned.delete(id))
            reject(new OutboundFailure('unroutable', 'No queue is bound to the exchange for this routing key.'))
          else if (error) reject(broken === null ? rejected : failureOf(broken))
          else resolve('')
        })
      } catch (error) {
        reject(failureOf(broken ?? error))
      }
    })
  return { ended, close, publish: send }
}

const rejected = new OutboundFailure('rejected', 'The broker did not store the message.')

const codeOf = (error: unknown): number => Number((error as { code?: unknown }).code)

function openingFailure(error: unknown): OutboundFailure {
  const { message = '', code } = error as Error & { code?: string }
  // The library does not pass on why the broker ends the handshake: a virtual host that the user may not use.
  if (/\b403\b|got <?ConnectionClose/.test(message))
    return new OutboundFailure('credentials', 'The broker refuses the user, the password or the virtual host.', error)
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)|CERT|UNABLE_TO/.test(String(code)))
    return new OutboundFailure('tls', `No secure connection: ${tlsReason(error as Error)}.`, error)
  if (/ETIMEDOUT/.test(message)) return new OutboundFailure('timeout', 'The broker did not answer in time.', error)
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)/.test(String(code)))
    return new OutboundFailure('connect', 'The broker accepts no connection.', error)
  if (/Socket closed|ECONNRESET|EPIPE/.test(`${message} ${code}`)) return failureOf(error)
  return new OutboundFailure('bad_response', 'The server did not answer as an AMQP broker does.', error)
}

function failureOf(error: unknown): OutboundFailure {
  if (codeOf(error) === 404)
    return new OutboundFailure('unroutable', 'The exchange does not exist. Declare it, or name another.', error)
  if (codeOf(error) === 403)
    return new OutboundFailure('credentials', 'The broker does not allow this user to publish to the exchange.', error)
  return new OutboundFailure('reset', 'The broker closed the connection without a confirm.', error)
}
