/** Changes of a subscription: its moves, its plan and its period. */
import type { SubscriptionStatus } from '@countersign/contract/enums.ts'
import { moveBetween, noMove, subscriptionMoves } from '@countersign/contract/moves.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { newUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { noteCause } from '../../../mail/causes.ts'
import { findPlan, type LockedSubscription, lockSubscription, updateSubscription } from './queries.ts'

export const noSubscription = () =>
  new Problem('NOT_FOUND', "This center doesn't have a subscription. Ask the operator to set one up.")

export interface PutSubscription {
  readonly centerId: number
  readonly status: SubscriptionStatus
  /** The same plan where absent. */
  readonly planId?: string | undefined
  readonly currentPeriodEnd?: Date | undefined
  /** The time of the statement of the billing system that is followed. */
  readonly billedAt?: Date
}

const told: Readonly<Partial<Record<SubscriptionStatus, 'pastDue' | 'suspended'>>> = {
  PAST_DUE: 'pastDue',
  SUSPENDED: 'suspended',
}

/**
 * Changes a locked subscription, with its audit entry. Another state is one move of the table in packages/contract/moves.ts.
 */
export async function putSubscription(
  tx: DirectoryTx | OperatorTx,
  { status: from, plan_id: fromPlan }: LockedSubscription,
  { centerId, status: to, planId, currentPeriodEnd, billedAt }: PutSubscription,
): Promise<void> {
  const move = from === to ? 'renew' : moveBetween(subscriptionMoves, from, to)
  if (!move || from === 'CANCELED') throw new Problem('CONFLICT', noMove('subscription', subscriptionMoves, from, to))
  const plan = planId === undefined || planId === fromPlan ? null : await requirePlan(tx, planId)
  await updateSubscription(tx, centerId, {
    ...(from !== to && { status: to }),
    ...(plan && { plan_id: plan.id, billing_cycle: plan.billing_cycle, seat_limit: plan.seat_limit }),
    ...(currentPeriodEnd && { current_period_end: currentPeriodEnd }),
    ...(billedAt && { billed_at: billedAt }),
  }).catch(meaning({ seats_within_limit: tooSmall }))
  await audit(tx, {
    type: 'center.updated',
    action: 'subscription',
    target: { type: 'subscription', id: String(centerId) },
    details: { move, from, to, ...(plan && { fromPlan, toPlan: plan.id }) },
    centerId,
  })
  const event = from === to ? undefined : told[to]
  if (event) await noteCause(tx, centerId, { id: `subscription ${centerId} ${newUuid()}`, event, facts: {} })
}

const tooSmall = () =>
  new Problem('CONFLICT', 'The center uses more seats than this plan includes. End or suspend memberships first.', {
    passing: true,
  })

async function requirePlan(tx: DirectoryTx | OperatorTx, id: string) {
  const plan = await findPlan(tx, id)
  if (plan) return plan
  throw new Problem(
    'VALIDATION_ERROR',
    `There's no plan with the ID "${id}". GET /api/provisioning/center-plans lists the plans.`,
  )
}

/** The operator's move to another state; returns the previous one. */
export async function moveSubscription(
  tx: OperatorTx,
  centerId: number,
  to: SubscriptionStatus,
): Promise<SubscriptionStatus> {
  const row = await requireLocked(tx, centerId)
  if (row.status === to) throw new Problem('CONFLICT', noMove('subscription', subscriptionMoves, to, to))
  await putSubscription(tx, row, { centerId, status: to })
  return row.status
}

/** The operator's change of the plan, in the same state; returns the previous plan. */
export async function changePlan(tx: OperatorTx, centerId: number, planId: string): Promise<string> {
  const row = await requireLocked(tx, centerId)
  await putSubscription(tx, row, { centerId, status: row.status, planId })
  return row.plan_id
}

async function requireLocked(tx: OperatorTx, centerId: number): Promise<LockedSubscription> {
  const row = await lockSubscription(tx, centerId)
  if (!row) throw noSubscription()
  return row
}
