/**
 * A function that sleeps while a person decides, in the form of Cloudflare Workers. No call waits: the first request asks and
 * ends, the webhook of the decision starts the function again, and the refund runs once.
 */
import { Countersign, verifyWebhook, WebhookSignatureError } from '@countersign/sdk'
import { GuardError, guard } from '@countersign/sdk/guard'

interface Refund {
  order: string
  won: number
}

export interface Env {
  COUNTERSIGN_URL: string
  COUNTERSIGN_API_KEY: string
  COUNTERSIGN_CENTER: string
  COUNTERSIGN_TRUST: string
  WEBHOOK_SECRET: string
  /** A KV namespace: what was asked for, by the ID of its decision. */
  REFUNDS: { get(key: string): Promise<string | null>; put(key: string, value: string): Promise<void> }
}

const guarded = (env: Env) =>
  guard(
    {
      action: 'money.refund',
      describe: ({ order, won }: Refund) => `Refund ${won} won for order ${order}`,
      // In your function: call the payment provider, with the event ID as its idempotency key.
      run: ({ order, won }, { eventId }) => `Refunded ${won} won for order ${order} (${eventId})`,
    },
    {
      client: new Countersign({ baseUrl: env.COUNTERSIGN_URL, apiKey: env.COUNTERSIGN_API_KEY }),
      trust: env.COUNTERSIGN_TRUST,
      center: Number(env.COUNTERSIGN_CENTER),
      agent: { id: 'refund-agent', name: 'Refund function' },
      onDone: 'replay',
    },
  )

async function attempt(env: Env, callId: string, refund: Refund): Promise<Response> {
  try {
    return Response.json({ state: 'done', result: await guarded(env)(refund, { callId }) })
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    const { reason, message, approvalUrl } = error
    return Response.json({ state: reason, message, approvalUrl }, { status: reason === 'waiting' ? 202 : 409 })
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname === '/refunds') {
      const refund = (await request.json()) as Refund
      const callId = `refund-${refund.order}`
      // Stored before it is asked for: the decision may be made before this request ends.
      await env.REFUNDS.put(callId, JSON.stringify(refund))
      return attempt(env, callId, refund)
    }
    try {
      const body = await request.arrayBuffer()
      const event = await verifyWebhook({ body, headers: request.headers, secrets: env.WEBHOOK_SECRET })
      if (event.type !== 'agent.approval.decided') return new Response(null, { status: 204 })
      // An approval that was asked for again has the same ID with ~1, ~2 and so on.
      const [callId = ''] = event.data.decisionId.split('~')
      const refund = await env.REFUNDS.get(callId)
      if (refund) console.log(await (await attempt(env, callId, JSON.parse(refund))).text())
      return new Response(null, { status: 204 })
    } catch (error) {
      // Any other error is a 500: the webhook is delivered again later.
      if (error instanceof WebhookSignatureError) return new Response(null, { status: 401 })
      throw error
    }
  },
}
