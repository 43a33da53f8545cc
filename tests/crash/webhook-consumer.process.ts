/**
 * Third-party servers, one port for each endpoint, that refuse a third of all requests and log the events that they take.
 * The parent process asks over the IPC channel; see `answers`.
 */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { seededRandom } from '../support/seeded-random.ts'

/** An event that arrived again after an answer of 2xx. */
export interface Again {
  readonly endpoint: number
  readonly eventId: string
  readonly takenAt: number
  readonly at: number
}

export interface Progress {
  readonly requests: number
  readonly refused: number
  /** Events taken, each counted once per endpoint. */
  readonly taken: number
  readonly verified: number
  /** These two count since the last question. */
  readonly again: readonly Again[]
  readonly faults: readonly string[]
}

/** One item per endpoint. */
export interface ConsumerLedger {
  readonly arrivals: readonly (readonly number[])[]
  readonly takenAt: readonly Readonly<Record<string, number>>[]
}

/** The schedule has seven attempts: one remains for failures of the machine. */
const mostRefusals = 5
const refusedShare = 1 / 3
/** Only some signatures are checked: checking all would make the consumer the bottleneck. */
const verifyEvery = 20

const seed = Number(process.env.SEED)
const count = Number(process.env.ENDPOINTS)
const each = <T>(make: () => T): T[] => Array.from({ length: count }, make)

const arrivals = each<number[]>(() => [])
const takenAt = each(() => new Map<string, number>())
const refusals = each(() => new Map<string, number>())
let taken = 0
let secrets: readonly string[] = []
let requests = 0
let refused = 0
let verified = 0
let again: Again[] = []
let faults: string[] = []

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** The kind of refusal, or null when the event is taken. Depends on the event and not on the order of arrival. */
function refusalOf(endpoint: number, eventId: string, before: number): number | null {
  if (before >= mostRefusals) return null
  const random = seededRandom((seed ^ hashOf(`${endpoint} ${eventId} ${before}`)) >>> 0)
  return random() < refusedShare ? random() : null
}

function refuse(part: number, response: ServerResponse): void {
  if (part < 0.3) response.writeHead(500).end('no')
  else if (part < 0.57) response.writeHead(503).end()
  else if (part < 0.84) response.writeHead(400).end('{"error":"not now"}')
  else if (part < 0.97) response.writeHead(429, { 'retry-after': '1' }).end()
  else if (part < 0.995) response.destroy()
  // All other requests are never answered.
}

function check(endpoint: number, headers: IncomingHttpHeaders, body: Buffer): string {
  const { id, data, deliveryAttempt } = JSON.parse(body.toString())
  const named = [headers['x-service-event-id'], headers['webhook-id'], data.paymentId]
  if (named.some((name) => name !== id)) faults.push(`endpoint ${endpoint} got ${id} under the names ${named}`)
  if (headers['x-service-delivery-attempt'] !== String(deliveryAttempt))
    faults.push(`endpoint ${endpoint} got ${id} with two numbers of its attempt`)
  const secret = secrets[endpoint]
  if (secret !== undefined && requests % verifyEvery === 0) {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      const own = createHmac('sha256', secret).update(body).digest('hex')
      if (own !== headers['x-service-signature']) throw new Error('another signature')
      verified++
    } catch (error) {
      faults.push(`endpoint ${endpoint} got ${id} with a signature that is not valid: ${(error as Error).message}`)
    }
  }
  return id
}

function take(endpoint: number, eventId: string, at: number): void {
  const before = takenAt[endpoint]?.get(eventId)
  if (before !== undefined) {
    again.push({ endpoint, eventId, takenAt: before, at })
    return
  }
  takenAt[endpoint]?.set(eventId, at)
  taken++
}

function answer(endpoint: number, headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void {
  const at = Date.now()
  requests++
  arrivals[endpoint]?.push(at)
  const eventId = check(endpoint, headers, body)
  const before = refusals[endpoint]?.get(eventId) ?? 0
  const known = takenAt[endpoint]?.has(eventId)
  const part = known ? null : refusalOf(endpoint, eventId, before)
  if (part === null) {
    take(endpoint, eventId, at)
    response.writeHead(200).end()
    return
  }
  refused++
  refusals[endpoint]?.set(eventId, before + 1)
  refuse(part, response)
}

const servers = each(() => createServer()).map((server, endpoint) => {
  // Closing a connection while a request is on its way would cause an uncounted refusal.
  server.keepAliveTimeout = 120_000
  server.requestTimeout = 0
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(endpoint, request.headers, Buffer.concat(chunks), response))
    // The sender was killed in the middle of the request.
    request.on('error', () => {})
  })
  return server
})
await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))

function progress(): Progress {
  const figures = { requests, refused, taken, verified, again, faults }
  again = []
  faults = []
  return figures
}

const answers = {
  ports: () => servers.map((server) => (server.address() as AddressInfo).port),
  secrets: (known: readonly string[]) => {
    secrets = known
  },
  progress,
  ledger: (): ConsumerLedger => ({ arrivals, takenAt: takenAt.map((each) => Object.fromEntries(each)) }),
}
export type Answers = typeof answers

process.on('message', ({ number, ask, about }: { number: number; ask: keyof Answers; about: never }) =>
  process.send?.({ number, answer: answers[ask](about) }),
)
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
