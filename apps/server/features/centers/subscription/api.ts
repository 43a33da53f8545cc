/** A subscription as it is answered, and the effects of its state. */
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { centerFeatureNames, centerFeatures, isInPlan } from '@countersign/contract/promises.ts'
import type { Subscription } from '@countersign/contract/provisioning.ts'
import type { Static } from 'typebox'
import type { DirectoryTx } from '../../../data/directory.ts'
import { noSubscription } from './change.ts'
import { findSubscription, type SubscriptionRow } from './queries.ts'

export { type BillingNeeds, followBilling } from './billing.ts'
export { changePlan, moveSubscription } from './change.ts'

type SubscriptionStanding = Static<typeof Subscription>['standing']

const reading = ['Signing in', 'Reading and exporting decisions', 'Verifying proofs']
const sealing = ['Recording and sealing decisions', 'Webhooks and workflows']
const activating = 'Activating members'

function standingOf({ status, plan_id: planId }: Pick<SubscriptionRow, 'status' | 'plan_id'>): SubscriptionStanding {
  const ofPlan = centerFeatureNames.flatMap((name) => (isInPlan(name, planId) ? [centerFeatures[name].label] : []))
  const isOver = status === 'SUSPENDED' || status === 'CANCELED'
  return {
    message: messages[status],
    works: [...reading, ...sealing, ...(isOver ? [] : [activating, ...ofPlan])],
    stopped: isOver ? [activating, ...ofPlan] : [],
  }
}

const messages: Record<SubscriptionStatus, string> = {
  ACTIVE: 'Everything works.',
  TRIAL: 'Everything works during the trial. Set up payment before the trial ends.',
  PAST_DUE: 'The trial is over, or a payment is overdue. Everything still works; pay now to keep it that way.',
  SUSPENDED:
    "The subscription is suspended because it wasn't paid. Your evidence is safe and stays readable; ask the operator how to continue.",
  CANCELED:
    'The subscription was canceled. Your evidence is safe and stays readable; to add members, ask the operator for a new subscription.',
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
  standing: standingOf(row),
})

export async function ownSubscription(tx: DirectoryTx, centerId: number): Promise<Static<typeof Subscription>> {
  const row = await findSubscription(tx, centerId)
  if (!row) throw noSubscription()
  return subscriptionOf(row)
}
