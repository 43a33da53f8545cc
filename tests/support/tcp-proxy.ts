/** A TCP proxy that forwards connections to PostgreSQL until a test makes it refuse or swallow them. */
import { connect, createServer, type Socket } from 'node:net'

export interface Wire {
  /** The URL of the same database through the proxy. */
  readonly url: string
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  /** Keeps every connection open and forwards nothing in either direction. */
  freeze(): void
  mend(): Promise<void>
  /** Ends every connection; new ones lead to the server of this URL. */
  leadTo(databaseUrl: string): void
  close(): Promise<void>
}

export async function openWire(databaseUrl: string): Promise<Wire> {
  let target = new URL(databaseUrl)
  const pairs = new Set<[Socket, Socket]>()
  let frozen = false

  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (data) => {
        if (!frozen) to.write(data)
      })
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    await closed
  }

  await listen(0)
  const { port } = server.address() as { port: number }
  const through = new URL(databaseUrl)
  through.host = `127.0.0.1:${port}`
  return {
    url: through.href,
    cut,
    freeze() {
      frozen = true
    },
    async mend() {
      frozen = false
      // Swallowed bytes are lost, so these connections cannot be used again.
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      if (!server.listening) await listen(port)
    },
    leadTo(url) {
      target = new URL(url)
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    async close() {
      if (server.listening) await cut()
    },
  }
}
