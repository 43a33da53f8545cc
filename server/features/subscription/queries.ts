import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import type { DirectoryTx } from '../../data/directory.ts'

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
