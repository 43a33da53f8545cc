// Asks, waits, consumes, acts once and reports, with nothing but fetch. Unlike the SDK's guard, it believes the server: it
// verifies no proof. `node refund.mjs ORDER WON`; run it again with the same order, and it continues.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const { COUNTERSIGN_URL, COUNTERSIGN_API_KEY } = process.env
const [order, won] = process.argv.slice(2)

async function api(path, body, headers = {}) {
  const response = await fetch(`${COUNTERSIGN_URL}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${COUNTERSIGN_API_KEY}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })
  const { data, error } = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${error.code}: ${error.message}`)
  return data
}

// The key makes this the same decision every time; other arguments under the same key are refused.
const action = { type: 'money.refund', input: { order, won: Number(won) } }
const agent = { id: 'refund-agent', name: 'Refund agent' }
const { eventId } = await api('agents/decide', { agent, action }, { 'idempotency-key': `refund-${order}` })

let decision = await api(`decision-events/${eventId}`)
if (decision.waiting) console.log(`A person decides at ${decision.waiting.approvalUrl}`)
while (decision.waiting) {
  await sleep(2000)
  decision = await api(`decision-events/${eventId}`)
}
if (decision.status !== 'sealed') throw new Error(`Not approved: ${decision.status}`)

// One executor gets 200, all others 409. A new name each time: an earlier attempt may still be running.
const executor = randomUUID()
await api(`decision-events/${eventId}/consume`, { actionDigest: decision.actionDigest, executor })

console.log(`Refunded ${won} won for order ${order}, with the idempotency key ${eventId}`) // Here: call your payment provider.

await api(`decision-events/${eventId}/outcome`, { executor, status: 'succeeded', output: { order } })
