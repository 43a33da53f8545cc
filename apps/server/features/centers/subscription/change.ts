/** Changes of a subscription: its moves, its plan and its period. */
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { moveBetween, noMove, subscriptionMoves } from '@countersign/contract/moves.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { noteCause } from '../../../mail/causes.ts'
import { requirePlan } from './plans.ts'
import { type LockedSubscription, lockSubscription, updateSubscription } from './queries.ts'

export const noSubscription = () =>
  new Problem('NOT_FOUND', "This center doesn't have a subscription. Ask the operator to set one up.")

export interface PutSubscription {
  readonly centerId: number
  readonly status: SubscriptionStatus
  /** The same plan and version where absent; another plan in its latest version. */
  readonly planId?: string | undefined
  /** The latest version of the same plan too. */
  readonly latest?: boolean
  readonly currentPeriodEnd?: Date | undefined
  /** The time of the statement of the billing system that is followed. */
  readonly billedAt?: Date
  /** The operator's words. */
  readonly reason?: string | undefined
}

const daySeconds = 86_400
export const periodDays = { MONTHLY: 30, YEARLY: 365 } as const

const told = { PAST_DUE: 'pastDue', SUSPENDED: 'suspended', CANCELED: 'canceled' } as const

/** What administrators are told of a change. A payment in time or during the trial is no news. */
function eventOf(from: SubscriptionStatus, to: SubscriptionStatus) {
  if (from === to) return undefined
  if (to !== 'ACTIVE') return to === 'TRIAL' ? undefined : told[to]
  return from === 'SUSPENDED' || from === 'CANCELED' ? 'reactivated' : undefined
}

/**
 * Changes a locked subscription, with its audit entry. Another state is one move of the table in packages/contract/moves.ts.
 * After CANCELED it is a new subscription, on the latest version of its plan and with a period of its own.
 */
export async function putSubscription(
  tx: DirectoryTx | OperatorTx,
  { status: from, plan_id: fromPlan, plan_version: fromVersion }: LockedSubscription,
  { centerId, status: to, planId = fromPlan, latest = false, currentPeriodEnd, billedAt, reason }: PutSubscription,
): Promise<void> {
  const move = from === to ? 'renew' : moveBetween(subscriptionMoves, from, to)
  const isOver = from === 'CANCELED'
  if (!move || (isOver && to === from))
    throw new Problem('CONFLICT', noMove('subscription', subscriptionMoves, from, to), {
      details: { reason: 'subscriptionStatus' },
    })
  const plan = planId !== fromPlan || latest || isOver ? await requirePlan(tx, planId) : null
  const end = currentPeriodEnd ?? (isOver && plan ? secondsFromNow(periodDays[plan.billing_cycle] * daySeconds) : null)
  await updateSubscription(tx, centerId, {
    ...(from !== to && { status: to }),
    ...(plan && {
      ...{ plan_id: plan.id, plan_version: plan.version, billing_cycle: plan.billing_cycle },
      ...{ seat_limit: plan.seat_limit, staff_limit: plan.staff_limit },
    }),
    ...(end && { current_period_end: end }),
    ...(billedAt && { billed_at: billedAt }),
  }).catch(meaning({ seats_within_limit: tooSmall, staff_within_limit: tooSmall }))
  const hasOther = plan && (plan.id !== fromPlan || plan.version !== fromVersion)
  await audit(tx, {
    type: 'center.updated',
    action: 'subscription',
    target: { type: 'subscription', id: String(centerId) },
    details: {
      ...{ move, from, to },
      ...(hasOther && { fromPlan, toPlan: plan.id }),
      ...(hasOther && plan.version > 1 && { toVersion: plan.version }),
      ...(reason !== undefined && { reason }),
    },
    centerId,
  })
  const event = eventOf(from, to)
  if (event) await noteCause(tx, centerId, { id: `subscription ${centerId} ${newUuid()}`, event, facts: {} })
}

const tooSmall = () =>
  new Problem('CONFLICT', 'The center uses more seats than this plan includes. End or suspend memberships first.', {
    details: { reason: 'seats' },
    passing: true,
  })

/** The operator's move to another state; returns the previous one. */
export async function moveSubscription(
  tx: OperatorTx,
  centerId: number,
  to: SubscriptionStatus,
): Promise<SubscriptionStatus> {
  const row = await requireLocked(tx, centerId)
  if (row.status === to)
    throw new Problem('CONFLICT', noMove('subscription', subscriptionMoves, to, to), {
      details: { reason: 'subscriptionStatus' },
    })
  await putSubscription(tx, row, { centerId, status: to })
  return row.status
}

/** The operator's change to the latest version of a plan, in the same state; returns the previous plan. */
export async function changePlan(tx: OperatorTx, centerId: number, planId: string): Promise<string> {
  const row = await requireLocked(tx, centerId)
  await putSubscription(tx, row, { centerId, status: row.status, planId, latest: true })
  return row.plan_id
}

/** Both, by the operator on a page. */
export async function updateSubscriptionAsOperator(
  tx: DirectoryTx,
  centerId: number,
  { planId, status, reason }: { planId?: string; status?: SubscriptionStatus; reason: string },
): Promise<void> {
  const row = await requireLocked(tx, centerId)
  if (planId === undefined && (status === undefined || status === row.status)) {
    throw new Problem('CONFLICT', noMove('subscription', subscriptionMoves, row.status, status ?? row.status), {
      details: { reason: 'subscriptionStatus' },
    })
  }
  await putSubscription(tx, row, {
    centerId,
    status: status ?? row.status,
    planId,
    latest: planId !== undefined,
    reason,
  })
}

async function requireLocked(tx: DirectoryTx | OperatorTx, centerId: number): Promise<LockedSubscription> {
  const row = await lockSubscription(tx, centerId)
  if (!row) throw noSubscription()
  return row
}
