/** A subscription as it is answered, and what its state means for people. */
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import type { Subscription } from '@countersign/contract/provisioning.ts'
import type { Static } from 'typebox'
import type { DirectoryTx } from '../../data/directory.ts'
import { Problem } from '../../lib/problem.ts'
import { findSubscription, type SubscriptionRow } from './queries.ts'

type Standing = Static<typeof Subscription>['standing']

const reading = ['Signing in', 'Reading and exporting decisions', 'Verifying proofs']
const all = [...reading, 'Recording and sealing decisions', 'Activating members', 'Webhooks and workflows']

const standings: Record<SubscriptionStatus, Standing> = {
  ACTIVE: { message: 'Everything works.', works: all, stopped: [] },
  TRIAL: { message: 'Everything works during the trial; choose a way to pay before it ends.', works: all, stopped: [] },
  PAST_DUE: {
    message: 'A payment is overdue. Everything still works; pay now so that nothing stops.',
    works: all,
    stopped: [],
  },
  SUSPENDED: {
    message:
      'The subscription is suspended because it was not paid. Your evidence is safe and stays readable; pay to go on.',
    works: all.filter((each) => each !== 'Activating members'),
    stopped: ['Activating members'],
  },
  CANCELED: {
    message: 'The subscription was canceled. Your evidence is safe and stays readable; subscribe again to add members.',
    works: all.filter((each) => each !== 'Activating members'),
    stopped: ['Activating members'],
  },
}

export const subscriptionOf = (row: SubscriptionRow): Static<typeof Subscription> => ({
  planId: row.plan_id,
  planName: row.plan_name,
  status: row.status,
  billingCycle: row.billing_cycle,
  currentPeriodEnd: row.current_period_end.toISOString(),
  seatLimit: row.seat_limit,
  seatUsed: row.seat_used,
  usage: { seats: { used: row.seat_used, limit: row.seat_limit, free: row.seat_limit - row.seat_used } },
  standing: standings[row.status],
})

export async function ownSubscription(tx: DirectoryTx, centerId: number): Promise<Static<typeof Subscription>> {
  const row = await findSubscription(tx, centerId)
  if (!row) throw new Problem('NOT_FOUND', 'This center has no subscription.')
  return subscriptionOf(row)
}
