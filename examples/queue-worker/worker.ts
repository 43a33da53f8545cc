/**
 * A worker of a queue (pg-boss) whose jobs need a person. A job that waits fails with the reason `waiting` and frees the worker; the
 * webhook retries exactly that job, because its ID is the decision's ID. After a crash at any point, the refund still runs once.
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookSignatureError } from '@countersign/sdk'
import { GuardError, guard } from '@countersign/sdk/guard'
import { PgBoss } from 'pg-boss'

interface Refund {
  readonly order: string
  readonly won: number
}

const { QUEUE_DATABASE_URL = '', SECRET = '', PORT = '8080' } = process.env
const queue = 'refunds'

const refund = guard(
  {
    action: 'money.refund',
    describe: ({ order, won }: Refund) => `Refund ${won.toLocaleString('en')} won for order ${order}`,
    // In your worker: call the payment provider, with the event ID as its idempotency key.
    run: ({ order, won }, { eventId }) => `${won.toLocaleString('en')} won for order ${order} (${eventId})`,
  },
  // A job that is retried after it was done gets its result, instead of running again.
  { agent: { id: 'refund-agent', name: 'Refund worker' }, onDone: 'replay' },
)

const boss = new PgBoss(QUEUE_DATABASE_URL)
boss.on('error', console.error)
await boss.start()
await boss.createQueue(queue)

await boss.work<Refund>(queue, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
  if (!job) return
  try {
    console.log(`refunded ${await refund(job.data, { callId: job.id })}`)
  } catch (error) {
    if (error instanceof GuardError) console.log(`${error.reason}: ${error.approvalUrl ?? error.message}`)
    throw error
  }
})

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook({ body: await buffer(request), headers: request.headers, secrets: SECRET })
    // The webhook is of the whole center: other agents' decisions are no jobs of this queue, and nothing is retried for them.
    if (event.type === 'agent.approval.decided' && event.data.agentId === 'refund-agent') {
      const [id = ''] = event.data.decisionId.split('~')
      const job = /^[\da-f-]{36}$/.test(id) ? await boss.getJobById(queue, id) : null
      // Decided before the job has failed: with a 500, the webhook comes again.
      if (job?.state === 'active') throw new Error(`${id} is still running`)
      if (job) await boss.retry(queue, id)
    }
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Receives at http://127.0.0.1:${PORT}/`))

// In your program: whoever wants a refund sends the job. Failed jobs aren't retried by themselves: only a decision wakes them.
const [order, won] = process.argv.slice(2)
if (order) await boss.send(queue, { order, won: Number(won) }, { retryLimit: 0 })

process.once('SIGINT', () => boss.stop().then(() => process.exit()))
