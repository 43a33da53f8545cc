/** A subscription as it is answered, the effects of its state, and its moves. */
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { moveBetween, noMove, subscriptionMoves } from '@countersign/contract/moves.ts'
import type { Subscription } from '@countersign/contract/provisioning.ts'
import type { Static } from 'typebox'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import { findSubscription, lockSubscription, type SubscriptionRow, setSubscriptionStatus } from './queries.ts'

type SubscriptionStanding = Static<typeof Subscription>['standing']

const reading = ['Signing in', 'Reading and exporting decisions', 'Verifying proofs']
const all = [...reading, 'Recording and sealing decisions', 'Activating members', 'Webhooks and workflows']

const standings: Record<SubscriptionStatus, SubscriptionStanding> = {
  ACTIVE: { message: 'Everything works.', works: all, stopped: [] },
  TRIAL: { message: 'Everything works during the trial; choose a way to pay before it ends.', works: all, stopped: [] },
  PAST_DUE: {
    message: 'A payment is overdue. Everything still works; pay now so that nothing stops.',
    works: all,
    stopped: [],
  },
  SUSPENDED: {
    message:
      'The subscription is suspended because it was not paid. Your evidence is safe and stays readable; ask us how to go on.',
    works: all.filter((each) => each !== 'Activating members'),
    stopped: ['Activating members'],
  },
  CANCELED: {
    message:
      'The subscription was canceled. Your evidence is safe and stays readable; ask us for a new one to add members.',
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
  if (!row) throw noSubscription()
  return subscriptionOf(row)
}

const noSubscription = () => new Problem('NOT_FOUND', 'This center has no subscription.')

/** One move of the table in packages/contract/moves.ts, with its audit entry; returns the previous state. */
export async function moveSubscription(
  tx: OperatorTx,
  centerId: number,
  to: SubscriptionStatus,
): Promise<SubscriptionStatus> {
  const subscription = await lockSubscription(tx, centerId)
  if (!subscription) throw noSubscription()
  const { status: from } = subscription
  const move = moveBetween(subscriptionMoves, from, to)
  if (!move) throw new Problem('CONFLICT', noMove('subscription', subscriptionMoves, from, to))
  await setSubscriptionStatus(tx, centerId, to)
  await audit(tx, {
    type: 'center.updated',
    action: 'subscription',
    target: { type: 'subscription', id: String(centerId) },
    details: { move, from, to },
    centerId,
  })
  return from
}
