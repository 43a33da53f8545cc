/**
 * Publishes to a stream of NATS JetStream. A message counts once the stream has acknowledged it. Only what a publisher
 * needs of the protocol is here; docs/decisions/0044-destinations.md has the reasons.
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { OutboundFailure, tlsIdentity, tlsReason } from '../guarded-connect.ts'
import type { BrokerConnection, BrokerLogin } from './connection.ts'
import { acknowledgmentOf, errorOf, headOf } from './nats-answers.ts'
import { natsReader, type ServerFrame, type ServerInfo } from './nats-protocol.ts'

/** A publisher receives acknowledgments, which are shorter than what it sent. A server that sends more is hostile. */
const freeBytes = 64 * 1024
const bytesPerSent = 4

interface Waiting {
  resolve(answer: string): void
  reject(failure: OutboundFailure): void
}

/** A socket that is read as NATS until it ends, and why it ended. */
function reading(socket: Socket, onFrame: (frame: ServerFrame) => void) {
  const { promise: ended, resolve: end } = Promise.withResolvers<OutboundFailure>()
  const read = natsReader()
  let received = 0
  const onData = (chunk: Buffer) => {
    received += chunk.length
    try {
      if (received > freeBytes + bytesPerSent * socket.bytesWritten) throw new Error('more than was asked for')
      for (const frame of read(chunk)) onFrame(frame)
    } catch (error) {
      end(new OutboundFailure('bad_response', 'The server did not answer as a NATS server does.', error))
      socket.destroy()
    }
  }
  const onClose = () => end(new OutboundFailure('reset', 'The server closed the connection without an acknowledgment.'))
  socket.on('data', onData).once('close', onClose).resume()
  return { ended, stop: () => socket.off('data', onData).off('close', onClose).pause() }
}

export async function openNats(login: BrokerLogin): Promise<BrokerConnection> {
  const tcp = await login.openSocket()
  const info = await firstInfo(tcp)
  const socket = await encryptedIfAsked(tcp, info, login)
  const inbox = `_INBOX.${randomBytes(12).toString('hex')}`
  const waiting = new Map<string, Waiting>()
  const { promise: greeted, resolve: greet, reject: refuse } = Promise.withResolvers<void>()
  let why: OutboundFailure | null = null
  let sent = 0

  const take = (token: string): Waiting | undefined => {
    const found = waiting.get(token)
    waiting.delete(token)
    return found
  }
  const failAll = (failure: OutboundFailure) => {
    refuse(failure)
    for (const token of [...waiting.keys()]) take(token)?.reject(failure)
  }
  const { ended } = reading(socket, (frame) => {
    if (frame.verb === 'PING') socket.write('PONG\r\n')
    else if (frame.verb === 'PONG') greet()
    else if (frame.verb === '-ERR') {
      why = errorOf(frame.text)
      failAll(why)
    } else if (frame.verb === 'MSG' && frame.subject.startsWith(`${inbox}.`)) {
      const answer = acknowledgmentOf(frame)
      const waiter = take(frame.subject.slice(inbox.length + 1))
      if (typeof answer === 'string') waiter?.resolve(answer)
      else waiter?.reject(answer)
    }
  })
  const over = ended.then((failure) => failAll(why ?? failure))

  socket.write(`CONNECT ${JSON.stringify(optionsOf(login))}\r\nSUB ${inbox}.* 1\r\nPING\r\n`)
  await greeted
  const maxBytes = Number(info.max_payload ?? 0)
  return {
    ended: over,
    close: () => socket.destroy(),
    publish: (message) =>
      new Promise((resolve, reject) => {
        const head = headOf(message)
        const bytes = head.length + message.body.length
        if (socket.destroyed) return reject(why ?? lost)
        if (maxBytes > 0 && bytes > maxBytes) return reject(tooLarge(maxBytes))
        const token = String(++sent)
        waiting.set(token, { resolve, reject })
        socket.write(`HPUB ${message.route.subject} ${inbox}.${token} ${head.length} ${bytes}\r\n`)
        socket.write(Buffer.concat([head, message.body, Buffer.from('\r\n')]))
      }),
  }
}

const lost = new OutboundFailure('reset', 'The server closed the connection without an acknowledgment.')

const tooLarge = (most: number) =>
  new OutboundFailure('rejected', `The message is larger than the ${most} bytes that the server accepts.`)

async function firstInfo(socket: Socket): Promise<ServerInfo> {
  const { promise, resolve } = Promise.withResolvers<ServerFrame>()
  const { ended, stop } = reading(socket, resolve)
  const frame = await Promise.race([promise, ended])
  stop()
  if (frame instanceof OutboundFailure) throw frame
  if (frame.verb === 'INFO' && frame.info.headers === true) return frame.info
  socket.destroy()
  throw new OutboundFailure('bad_response', 'The server did not answer as a NATS server with headers does.')
}

function encryptedIfAsked(tcp: Socket, info: ServerInfo, { url, ca }: BrokerLogin): Promise<Socket> | Socket {
  if (!url.isSecure && info.tls_required !== true) return tcp
  if (info.tls_required !== true && info.tls_available !== true) {
    tcp.destroy()
    throw new OutboundFailure('tls', 'No secure connection: the server does not offer TLS.')
  }
  return new Promise((resolve, reject) => {
    const socket = connectTls({ socket: tcp, ...tlsIdentity(url.host, ca) })
    const fail = (error?: Error) => {
      tcp.destroy()
      reject(new OutboundFailure('tls', `No secure connection: ${tlsReason(error)}.`, error))
    }
    // The second listener stays: without one, an error of the socket would end the process.
    socket
      .once('error', fail)
      .on('error', () => {})
      .once('close', () => fail())
    socket.once('secureConnect', () => resolve(socket))
  })
}

function optionsOf({ url, credentials }: BrokerLogin) {
  const { user, password } = credentials ?? {}
  const login = password === null ? { auth_token: user } : { user, pass: password }
  return {
    ...{ verbose: false, pedantic: false, echo: false, headers: true, no_responders: true, protocol: 1 },
    ...{ name: 'countersign', lang: 'node', version: '1', tls_required: url.isSecure, ...login },
  }
}
