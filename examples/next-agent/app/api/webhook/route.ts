import { verifyWebhook } from '@countersign/sdk'
import { proceed } from '../../../lib/agent.ts'

export async function POST(request: Request): Promise<Response> {
  const body = await request.text()
  const secrets = process.env.WEBHOOK_SECRET ?? ''
  const event = await verifyWebhook({ body, headers: request.headers, secrets }).catch(() => null)
  if (!event) return new Response(null, { status: 401 })
  // The webhook is of the whole center: other agents' decisions aren't runs of this application.
  if (event.type === 'agent.approval.decided' && event.data.agentId === 'refund-agent') {
    const [run = ''] = event.data.decisionId.split('/')
    await proceed(run)
  }
  return new Response(null, { status: 204 })
}
