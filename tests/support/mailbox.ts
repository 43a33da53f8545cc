/** A real SMTP server on loopback that stores received messages. */
import { SMTPServer } from 'smtp-server'

interface Received {
  readonly to: string[]
  readonly subject: string
  /** The header Message-ID. */
  readonly messageId: string
  /** The whole message as it was sent, encodings included; `sender` is that of the envelope. */
  readonly raw: string
  readonly sender: string
  readonly from: string
  readonly replyTo: string
  readonly text: string
  readonly html: string
}

export interface Mailbox {
  readonly url: string
  readonly messages: Received[]
  /** The newest token of this kind that was mailed to the address; waits for it to arrive. */
  token(to: string, prefix: 'csi' | 'csp' | 'csu' | 'csm'): Promise<string>
  /** While true, the server refuses every message. */
  refusing: boolean
  close(): Promise<void>
}

interface Part {
  readonly head: string
  readonly content: string
}

/** One part of a message, decoded. */
function partOf(raw: string): Part {
  const at = raw.search(/\r?\n\r?\n/)
  const [head, body] = [raw.slice(0, at), raw.slice(at).replace(/^\r?\n\r?\n/, '')]
  if (/encoding: base64/i.test(head)) return { head, content: Buffer.from(body, 'base64').toString() }
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { head, content: /quoted-printable/i.test(head) ? Buffer.from(bytes, 'latin1').toString() : body }
}

/** The plain text and the HTML of a message that has both. */
function alternatives(raw: string): { text: string; html: string } {
  const boundary = /^Content-Type: multipart\/alternative;\s+boundary="([^"]+)"/im.exec(raw)?.[1]
  if (boundary === undefined) throw new Error('the mail has no alternatives')
  const parts = raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.trimStart()))
  const find = (type: string) => parts.find(({ head }) => head.toLowerCase().includes(type))?.content ?? ''
  return { text: find('text/plain'), html: find('text/html') }
}

/** Encoded words of the subject are decoded. */
function headersOf(raw: string): Pick<Received, 'subject' | 'messageId' | 'from' | 'replyTo'> {
  const head = raw.slice(0, raw.search(/\r?\n\r?\n/)).replaceAll(/\r?\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  return {
    ...{ subject: decoded(header('Subject')), messageId: header('Message-ID') },
    ...{ from: decoded(header('From')), replyTo: decoded(header('Reply-To')) },
  }
}

function decoded(text: string): string {
  const bytes = text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, part: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(part, 'base64').toString('latin1')
        : part
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/g, (__, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
  return /=\?utf-8\?/i.test(text) ? Buffer.from(bytes, 'latin1').toString() : bytes
}

export async function openMailbox(): Promise<Mailbox> {
  const messages: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (box.refusing) return done(new Error('not now'))
        const raw = Buffer.concat(chunks).toString()
        messages.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          ...{ raw, sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : '' },
          ...headersOf(raw),
          ...alternatives(raw),
        })
        return done()
      })
    },
  })
  // A sender that is killed breaks its connection.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = listener.address() as { port: number }
  const box: Mailbox = {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    refusing: false,
    async token(to, prefix) {
      for (let tries = 0; tries < 200; tries++) {
        const message = messages.findLast((each) => each.to.includes(to) && each.text.includes(`/${prefix}_`))
        const found = message && new RegExp(`${prefix}_[A-Za-z0-9_-]{43}`).exec(message.text)
        if (found) return found[0]
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`no ${prefix} token was mailed to ${to}`)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return box
}
