/** A subscription as it is answered, and the effects of its state. */
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { centerFeatureNames, centerFeatures, isInPlan } from '@countersign/contract/promises.ts'
import type { getSubscriptionNotice, Subscription } from '@countersign/contract/provisioning.ts'
import type { Static } from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { noSubscription } from './change.ts'
import { findSubscription, type SubscriptionRow } from './queries.ts'

export { type BillingNeeds, followBilling } from './billing.ts'
export { changePlan, moveSubscription, periodDays, updateSubscriptionAsOperator } from './change.ts'
export type { PlanRow } from './plan-queries.ts'
export { isOffered, listPlans, putPlan, requirePlan } from './plans.ts'
export { findSubscription }

type SubscriptionStanding = Static<typeof Subscription>['standing']

const reading = ['Signing in', 'Reading and exporting decisions', 'Verifying proofs']
const sealing = ['Recording and sealing decisions', 'Webhooks and workflows']
const activating = 'Activating members'

function standingOf({ status, features }: Pick<SubscriptionRow, 'status' | 'features'>): SubscriptionStanding {
  const ofPlan = centerFeatureNames.flatMap((name) =>
    isInPlan(name, { features }) ? [centerFeatures[name].label] : [],
  )
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
    "The subscription is suspended because it wasn't paid. Your evidence is safe and stays readable. To continue, pay in your billing system or ask the operator to reactivate it.",
  CANCELED:
    'The subscription was canceled. Your evidence is safe and stays readable. To start a new subscription, pay in your billing system or ask the operator.',
}

export const subscriptionOf = (row: SubscriptionRow, billingUrl: string | null): Static<typeof Subscription> => ({
  planId: row.plan_id,
  planVersion: row.plan_version,
  planName: row.plan_name,
  status: row.status,
  billingCycle: row.billing_cycle,
  currentPeriodEnd: row.current_period_end.toISOString(),
  seatLimit: row.seat_limit,
  seatUsed: row.seat_used,
  staffLimit: row.staff_limit,
  staffUsed: row.staff_used,
  billingUrl,
  usage: { seats: { used: row.seat_used, limit: row.seat_limit, free: row.seat_limit - row.seat_used } },
  standing: standingOf(row),
})

export async function ownSubscription(
  tx: DirectoryTx,
  centerId: number,
  { billingUrl }: Pick<Config, 'billingUrl'>,
): Promise<Static<typeof Subscription>> {
  const row = await findSubscription(tx, centerId)
  if (!row) throw noSubscription()
  return subscriptionOf(row, billingUrl)
}

type Notice = Static<(typeof getSubscriptionNotice.spec.replies)[200]>

export async function noticeOf(
  tx: DirectoryTx,
  { billingUrl, billingKeys }: Pick<Config, 'billingUrl' | 'billingKeys'>,
  isAdmin: boolean,
): Promise<Notice> {
  const row = await findSubscription(tx, tx.caller.centerId)
  if (!row) return { status: null, currentPeriodEnd: null, stopped: [], liftedBy: [], billingUrl: null }
  return {
    status: row.status,
    currentPeriodEnd: row.current_period_end.toISOString(),
    stopped: standingOf(row).stopped,
    liftedBy: row.status === 'ACTIVE' ? [] : billingKeys.length > 0 ? ['billing_system', 'operator'] : ['operator'],
    billingUrl: isAdmin ? billingUrl : null,
  }
}
