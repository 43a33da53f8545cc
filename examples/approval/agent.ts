/** An agent that asks before it acts: it records its decision, waits for a person, and keeps the proof. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { get, post } from './api.ts'

const event = await post('/decision-events', {
  type: 'ai_recommendation',
  actor: { id: 'refund-agent', type: 'ai_agent', name: 'Refund agent' },
  action: { type: 'refund.issue', description: 'Refund order 1041', output: { amount: 1200 } },
  aiContext: { model: 'planner-3', confidence: 0.92 },
})
console.log(`Waiting for approval of ${event.data.id}`)

// There is no evidence (404) until an approval or a refusal seals the decision.
const path = `/evidence/${event.data.evidence.id}`
let evidence = await get(path)
while (evidence === null) {
  await sleep(500)
  evidence = await get(path)
}
const { approver, reason, result } = evidence.data.approval
if (result !== 'approved') {
  console.log(`Refused by ${approver.name}: ${reason}`)
  process.exit(1)
}
console.log(`Approved by ${approver.name}: ${reason}`)

// The agent issues the refund here.

await writeFile('proof.json', JSON.stringify(await get(`${path}/export`)))
console.log('The proof is in proof.json')
