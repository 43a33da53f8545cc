import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'

export interface SubscriptionRow {
  readonly plan_id: string
  readonly plan_name: string
  readonly status: SubscriptionStatus
  readonly billing_cycle: 'MONTHLY' | 'YEARLY'
  readonly current_period_end: Date
  readonly seat_limit: number
  readonly seat_used: number
}

export const findSubscription = (tx: DirectoryTx, centerId: number): Promise<SubscriptionRow | undefined> =>
  tx.db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(['plan_id', 'plans.name as plan_name', 'status', 'subscriptions.billing_cycle', 'current_period_end'])
    .select(['subscriptions.seat_limit', 'seat_used'])
    .where('center_id', '=', centerId)
    .executeTakeFirst() as Promise<SubscriptionRow | undefined>

/** Locked: of two concurrent moves the second sees the result of the first. */
export const lockSubscription = (
  tx: OperatorTx,
  centerId: number,
): Promise<{ status: SubscriptionStatus } | undefined> =>
  tx.db
    .selectFrom('subscriptions')
    .select('status')
    .where('center_id', '=', centerId)
    .forUpdate()
    .executeTakeFirst() as Promise<{ status: SubscriptionStatus } | undefined>

export const setSubscriptionStatus = (tx: OperatorTx, centerId: number, status: SubscriptionStatus) =>
  tx.db.updateTable('subscriptions').set({ status }).where('center_id', '=', centerId).execute()
