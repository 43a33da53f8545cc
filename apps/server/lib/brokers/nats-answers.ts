/** The text of messages and answers of NATS JetStream. Pure. */
import { OutboundFailure } from '../guarded-connect.ts'
import type { BrokerMessage } from './connection.ts'

/** The head of a message, with the id by which a stream recognizes a repeat. */
export function headOf({ deliveryId, headers }: BrokerMessage): Buffer {
  const lines = Object.entries({ 'Nats-Msg-Id': deliveryId, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`NATS/1.0\r\n${lines.join('')}\r\n`)
}

interface Acknowledgment {
  readonly stream?: unknown
  readonly seq?: unknown
  readonly duplicate?: unknown
  readonly error?: { readonly description?: unknown }
}

/** What the server answered to a message: the acknowledgment of a stream, or why there is none. */
export function acknowledgmentOf({ headers, payload }: { headers: string; payload: string }): string | OutboundFailure {
  if (/^NATS\/1\.0 503/.test(headers))
    return new OutboundFailure('unroutable', 'No stream stores messages of this subject.')
  let answer: Acknowledgment | null = null
  try {
    answer = JSON.parse(payload)
  } catch {
    // Not an acknowledgment.
  }
  if (answer?.error) {
    const said = brief(String(answer.error.description))
    return new OutboundFailure('rejected', `The stream refused the message: ${said}.`)
  }
  if (typeof answer?.stream !== 'string' || answer.stream === '')
    return new OutboundFailure('unroutable', 'A subscriber answered, and not a stream. Let a stream store the subject.')
  const { stream, seq, duplicate } = answer
  return JSON.stringify({ stream, seq, ...(duplicate === true && { duplicate }) }).slice(0, 1024)
}

/** An error that the server sends by itself. */
export function errorOf(text: string): OutboundFailure {
  if (/permissions violation/i.test(text))
    return new OutboundFailure('credentials', 'The server does not allow this user to publish to the subject.')
  if (/authorization|authentication|credentials/i.test(text))
    return new OutboundFailure('credentials', 'The server refuses the user name, the password or the token.')
  return new OutboundFailure('rejected', `The server refused the message: ${brief(text)}.`)
}

/** Text of a third party, in one line. */
const brief = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200)
