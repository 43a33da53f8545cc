/**
 * A refund as a workflow of another engine (DBOS): it asks, sleeps in the database until a person has decided, and refunds once.
 * The webhook wakes it. A process that is killed continues when it starts again.
 *
 * ORDER and WON are the refund; SECRET is the signing secret of the webhook; ENGINE_DATABASE_URL is a database of the engine.
 */
import { createServer } from 'node:http'
import { verifyWebhook, WebhookSignatureError } from '@countersign/sdk'
import { GuardError, guard } from '@countersign/sdk/guard'
import { DBOS } from '@dbos-inc/dbos-sdk'

const { SECRET = '', PORT = '8080' } = process.env
const { ENGINE_DATABASE_URL: systemDatabaseUrl = '', ORDER = '1044', WON = '820000' } = process.env

const refund = guard(
  {
    action: 'money.refund',
    describe: ({ order, won }: { order: string; won: number }) => `Refund ${won} won for order ${order}`,
    // The refund itself, with the id of the decision as the idempotency key of the bank: a second run does nothing.
    run: ({ order, won }, { eventId }) => `Refunded ${won} won for order ${order}, as ${eventId}`,
    idempotent: true,
  },
  {
    // The server, its key, the center and whom to trust: COUNTERSIGN_URL, _API_KEY, _CENTER and _TRUST.
    agent: { id: 'refund-agent' },
    withinMs: 0,
    onWaiting: ({ waiting }) => console.log(`A person decides at ${waiting?.approvalUrl}`),
  },
)

/** One step of the workflow: runs the refund if it is decided, and says why not otherwise. Its result is stored. */
async function attempt(order: string, won: number): Promise<{ done: boolean; text: string }> {
  try {
    return { done: true, text: await refund({ order, won }, { callId: `refund-${order}` }) }
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    return { done: error.reason !== 'waiting', text: error.reason }
  }
}

const day = 24 * 60 * 60
const refundOrder = DBOS.registerWorkflow(
  async (order: string, won: number) => {
    let result = await DBOS.runStep(() => attempt(order, won), { name: 'ask' })
    while (!result.done) {
      // A webhook may be late or lost: the workflow also looks by itself once a day.
      await DBOS.recv('decided', day)
      result = await DBOS.runStep(() => attempt(order, won), { name: 'refund', retriesAllowed: true })
    }
    return result.text
  },
  { name: 'refundOrder' },
)

createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = await verifyWebhook({
      ...{ body: Buffer.concat(chunks), headers: request.headers, secrets: SECRET.split(',') },
    })
    // The engine stores the message before the answer; the id of the event makes a repeated delivery harmless.
    if (event.type === 'agent.decision.completed' && event.data.agentId === 'refund-agent')
      await DBOS.send(event.data.decisionId, event.data.outcome, 'decided', event.id)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Receives at http://127.0.0.1:${PORT}/`))

DBOS.setConfig({
  name: 'refunds',
  systemDatabaseUrl,
  logLevel: 'error',
  applicationVersion: '1',
  executorID: 'refunds',
})
await DBOS.launch()
// The id of the workflow is the id of the decision: starting it again continues it.
const workflow = await DBOS.startWorkflow(refundOrder, { workflowID: `refund-${ORDER}` })(ORDER, Number(WON))
console.log(`result: ${await workflow.getResult()}`)
