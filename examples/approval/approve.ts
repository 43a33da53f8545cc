/** The program of an approver: `node approve.ts EVENT approved|rejected REASON`. */
import { post } from './api.ts'

const [event, result, reason] = process.argv.slice(2)
const { data } = await post(`/decision-events/${event}/approvals`, {
  approver: { id: 'dana', type: 'human', name: 'Dana Park' },
  result,
  reason,
})
console.log(`${data.result}, sealed as ${data.sealedHash}`)
