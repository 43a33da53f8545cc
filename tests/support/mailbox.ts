/** A real SMTP server on loopback that stores received messages. */
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  readonly url: string
  readonly messages: { readonly to: string[]; readonly text: string }[]
  /** The newest token of this kind that was mailed to the address; waits for it to arrive. */
  token(to: string, prefix: 'csi' | 'csp'): Promise<string>
  /** While true, the server refuses every message. */
  refusing: boolean
  close(): Promise<void>
}

/** Decodes quoted-printable as far as the plain texts of the service need it. */
const decode = (raw: string): string =>
  raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

export async function openMailbox(): Promise<Mailbox> {
  const messages: { to: string[]; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (box.refusing) return done(new Error('not now'))
        messages.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: decode(Buffer.concat(chunks).toString()),
        })
        return done()
      })
    },
  })
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
