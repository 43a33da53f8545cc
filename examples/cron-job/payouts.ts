/**
 * Pays what is due, from cron. Nothing waits in memory: a payout that needs a person ends as `waiting`, and the next run of the job
 * continues the same decision, because its call ID is made of the payout.
 */
import { readFile } from 'node:fs/promises'
import { GuardError, guard } from '@countersign/sdk/guard'

interface Payout {
  readonly id: string
  readonly supplier: string
  readonly won: number
}

const pay = guard(
  {
    action: 'money.refund',
    describe: ({ supplier, won }: Payout) => `Pay ${won.toLocaleString('en')} won to ${supplier}`,
    // In your job: call the bank, with the event ID as its idempotency key.
    run: ({ supplier, won }, { eventId }) => `${supplier} got ${won.toLocaleString('en')} won (${eventId})`,
  },
  { agent: { id: 'refund-agent', name: 'Payout job' } },
)

// In your job: what your database says is due and not yet paid.
const due: Payout[] = JSON.parse(await readFile(process.argv[2] ?? 'due.json', 'utf8'))

for (const payout of due) {
  try {
    console.log(`paid     ${payout.id}: ${await pay(payout, { callId: `payout-${payout.id}` })}`)
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    // `done` has been paid by an earlier run. For the others, the message says what to do.
    console.log(`${error.reason.padEnd(8)} ${payout.id}: ${error.approvalUrl ?? error.message}`)
    if (['unverified', 'unknown'].includes(error.reason)) process.exitCode = 1
  }
}
