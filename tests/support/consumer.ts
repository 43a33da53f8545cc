/** A third-party server that receives webhooks over real HTTP, answers as configured, and records every byte. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly envelope: {
    readonly id: string
    readonly type: string
    readonly createdAt: string
    readonly data: Record<string, unknown>
    readonly deliveryAttempt: number
  }
  readonly atMs: number
}

type Answering = (received: Received, response: ServerResponse) => number | undefined

export interface Consumer {
  readonly url: string
  readonly received: Received[]
  /** Complete requests without an answer: the current number, and the maximum since `watch`. */
  readonly inFlight: { readonly now: number; readonly most: number }
  watch(): void
  /** A status, or undefined when the function answers itself or never. By default 200. */
  answer(by: Answering): void
  /** Waits until this many requests have arrived, and fails otherwise. */
  until(count: number, ms?: number): Promise<readonly Received[]>
  close(): Promise<void>
}

export async function startConsumer(): Promise<Consumer> {
  const received: Received[] = []
  const inFlight = { now: 0, most: 0 }
  let answering: Answering = () => 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const each = { headers: request.headers, body, envelope: JSON.parse(body.toString()), atMs: performance.now() }
      received.push(each)
      inFlight.most = Math.max(inFlight.most, ++inFlight.now)
      response.once('close', () => inFlight.now--)
      const status = answering(each, response)
      if (status !== undefined) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    inFlight,
    watch() {
      inFlight.most = inFlight.now
    },
    answer(by) {
      answering = by
    },
    async until(count, ms = 10_000) {
      const end = performance.now() + ms
      while (received.length < count) {
        if (performance.now() > end)
          throw new Error(`${received.length} of ${count} deliveries arrived within ${ms} ms`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return received
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
