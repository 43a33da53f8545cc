/**
 * Turns the webhooks of a billing provider into signed payment events, which subscriptions of Countersign follow. The
 * provider signs as in Standard Webhooks; another provider differs in `verified` and in the table `meanings`.
 *
 * PROVIDER_SECRET verifies the provider (whsec_…). BILLING_KEY is a file with the Ed25519 key (PEM) whose public half is in
 * BILLING_KEYS of the server. CENTERS is a JSON file: customer id to {"centerId": 42, "key": "csk_…"}, a key of that
 * center with the scope events:write.
 */
import { createHmac, createPrivateKey, sign, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'

const { PROVIDER_SECRET = '', BILLING_KEY = '', CENTERS = '', COUNTERSIGN_URL = '', PORT = '8081' } = process.env
const secret = Buffer.from(PROVIDER_SECRET.replace('whsec_', ''), 'base64')
const billingKey = createPrivateKey(readFileSync(BILLING_KEY))
const centers: Record<string, { centerId: number; key: string }> = JSON.parse(readFileSync(CENTERS, 'utf8'))

/** What the provider's events mean. The provider decides when a payment is given up, not this program. */
const meanings: Record<string, { type: string; status: string }> = {
  'invoice.paid': { type: 'payment.completed', status: 'ACTIVE' },
  'invoice.failed': { type: 'payment.failed', status: 'PAST_DUE' },
  'invoice.given_up': { type: 'payment.failed', status: 'SUSPENDED' },
  'subscription.ended': { type: 'payment.failed', status: 'CANCELED' },
}

interface ProviderEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly customer: string
    readonly invoice: string
    readonly paidUntil?: string
    readonly plan?: string
  }
}

const fiveMinutes = 300_000

function verified(headers: IncomingMessage['headers'], body: Buffer): ProviderEvent | null {
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  )
  if (!(Math.abs(Date.now() - Number(time) * 1000) < fiveMinutes)) return null
  const expected = Buffer.from(
    `v1,${createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest('base64')}`,
  )
  const matches = (each: string) => each.length === expected.length && timingSafeEqual(Buffer.from(each), expected)
  return given?.split(' ').some(matches) ? JSON.parse(body.toString()) : null
}

/** The same delivery always gives the same event, so it may be repeated as often as the provider likes. */
function paymentEvent(id: string, { type: said, timestamp, data }: ProviderEvent, centerId: number) {
  const { type, status } = meanings[said] as (typeof meanings)[string]
  const occurredAt = new Date(timestamp).toISOString()
  const currentPeriodEnd = data.paidUntil && new Date(data.paidUntil).toISOString()
  const lines = ['countersign-subscription-v1', id, type, centerId, status, occurredAt, currentPeriodEnd, data.plan]
  const signature = sign(null, Buffer.from(lines.join('\n')), billingKey).toString('base64')
  const statement = { centerId, status, occurredAt, currentPeriodEnd, planId: data.plan, signature }
  return { id, type, data: { paymentId: data.invoice, centerSubscription: statement } }
}

async function forward(deliveryId: string, event: ProviderEvent): Promise<number> {
  const center = centers[event.data.customer]
  if (!meanings[event.type] || !center) return 204
  const body = JSON.stringify(paymentEvent(`billing-${deliveryId}`, event, center.centerId))
  const headers = { Authorization: `Bearer ${center.key}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${COUNTERSIGN_URL}/api/v1/events`, { method: 'POST', headers, body })
  console.log(`${event.type} of ${event.data.customer}: ${response.status} ${await response.text()}`)
  // A refusal for good needs a person, not a retry; the provider repeats everything else.
  return [202, 403, 404, 409, 422].includes(response.status) ? 204 : 503
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

createServer(async (request, response) => {
  try {
    const event = verified(request.headers, await bodyOf(request))
    response.writeHead(event ? await forward(String(request.headers['webhook-id']), event) : 401).end()
  } catch (error) {
    console.error(error)
    response.writeHead(503).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Receives at http://127.0.0.1:${PORT}/`))
