import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { type Kysely, sql } from 'kysely'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'

export interface SubscriptionRow {
  readonly plan_id: string
  readonly plan_version: number
  readonly plan_name: string
  readonly webhooks: number
  readonly features: readonly string[]
  readonly status: SubscriptionStatus
  readonly billing_cycle: 'MONTHLY' | 'YEARLY'
  readonly current_period_end: Date
  readonly seat_limit: number
  readonly seat_used: number
  readonly staff_limit: number | null
  readonly staff_used: number
}

export const findSubscription = (tx: DirectoryTx, centerId: number): Promise<SubscriptionRow | undefined> =>
  tx.db
    .selectFrom('subscriptions')
    .innerJoin('plan_versions as v', (join) =>
      join.onRef('v.plan_id', '=', 'subscriptions.plan_id').onRef('v.version', '=', 'subscriptions.plan_version'),
    )
    .select(['subscriptions.plan_id', 'plan_version', 'v.name as plan_name', 'v.webhooks', 'v.features', 'status'])
    .select(['subscriptions.billing_cycle', 'current_period_end'])
    .select(['subscriptions.seat_limit', 'seat_used', 'subscriptions.staff_limit', 'staff_used'])
    .where('center_id', '=', centerId)
    .$castTo<SubscriptionRow>()
    .executeTakeFirst()

export interface LockedSubscription
  extends Pick<SubscriptionRow, 'status' | 'plan_id' | 'plan_version' | 'current_period_end'> {
  readonly billed_at: Date | null
}

/** Locked: of two concurrent changes the second sees the result of the first. */
export const lockSubscription = (
  tx: DirectoryTx | OperatorTx,
  centerId: number,
): Promise<LockedSubscription | undefined> =>
  tx.db
    .selectFrom('subscriptions')
    .select(['status', 'plan_id', 'plan_version', 'current_period_end', 'billed_at'])
    .where('center_id', '=', centerId)
    .forUpdate()
    .$castTo<LockedSubscription>()
    .executeTakeFirst()

export interface SubscriptionChange {
  readonly status?: SubscriptionStatus
  readonly plan_id?: string
  readonly plan_version?: number
  readonly billing_cycle?: string
  readonly seat_limit?: number
  readonly staff_limit?: number | null
  readonly current_period_end?: Date
  readonly billed_at?: Date
}

export const updateSubscription = (tx: DirectoryTx | OperatorTx, centerId: number, change: SubscriptionChange) =>
  tx.db.updateTable('subscriptions').set(change).where('center_id', '=', centerId).execute()

const step = 100

export const trialsOver = async (db: Kysely<never>, at: Date): Promise<number[]> =>
  (
    await sql<{ center_id: number }>`
      select center_id from directory.subscriptions where status = 'TRIAL' and current_period_end <= ${at}
      order by current_period_end limit ${step}`.execute(db)
  ).rows.map((row) => row.center_id)
