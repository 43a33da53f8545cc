import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import type { CenterPlanId } from '@countersign/contract/promises.ts'
import { type Kysely, sql } from 'kysely'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'

export interface SubscriptionRow {
  readonly plan_id: CenterPlanId
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
    .$castTo<SubscriptionRow>()
    .executeTakeFirst()

export interface LockedSubscription extends Pick<SubscriptionRow, 'status' | 'plan_id' | 'current_period_end'> {
  readonly billed_at: Date | null
}

/** Locked: of two concurrent changes the second sees the result of the first. */
export const lockSubscription = (
  tx: DirectoryTx | OperatorTx,
  centerId: number,
): Promise<LockedSubscription | undefined> =>
  tx.db
    .selectFrom('subscriptions')
    .select(['status', 'plan_id', 'current_period_end', 'billed_at'])
    .where('center_id', '=', centerId)
    .forUpdate()
    .$castTo<LockedSubscription>()
    .executeTakeFirst()

export interface SubscriptionChange {
  readonly status?: SubscriptionStatus
  readonly plan_id?: string
  readonly billing_cycle?: string
  readonly seat_limit?: number
  readonly current_period_end?: Date
  readonly billed_at?: Date
}

export const updateSubscription = (tx: DirectoryTx | OperatorTx, centerId: number, change: SubscriptionChange) =>
  tx.db.updateTable('subscriptions').set(change).where('center_id', '=', centerId).execute()

export const findPlan = (tx: DirectoryTx | OperatorTx, id: string) =>
  tx.db
    .selectFrom('plans')
    .select(['id', 'billing_cycle', 'seat_limit'])
    .where('id', '=', id)
    .where('kind', '=', 'center')
    .executeTakeFirst()

const step = 100

export const trialsOver = async (db: Kysely<never>, at: Date): Promise<number[]> =>
  (
    await sql<{ center_id: number }>`
      select center_id from directory.subscriptions where status = 'TRIAL' and current_period_end <= ${at}
      order by current_period_end limit ${step}`.execute(db)
  ).rows.map((row) => row.center_id)
