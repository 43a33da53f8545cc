/** Plans as data of the operator: a new plan, and a new version of one. */
import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { NewPlan, NewPlanVersion } from '@countersign/contract/plans.ts'
import { type CenterFeature, promisesOf } from '@countersign/contract/promises.ts'
import type { Static } from 'typebox'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import * as queries from './plan-queries.ts'

export const promiseOf = (row: Pick<queries.PlanRow, 'seat_limit' | 'staff_limit' | 'webhooks' | 'features'>) => ({
  seatLimit: row.seat_limit,
  staffLimit: row.staff_limit,
  webhooks: row.webhooks,
  features: row.features,
})

const bareOf = (row: queries.PlanRow) => ({
  id: row.id,
  version: row.version,
  name: row.name,
  price: row.price,
  currency: row.currency,
  billingCycle: row.billing_cycle,
  seatLimit: row.seat_limit,
  staffLimit: row.staff_limit,
  trialDays: row.trial_days,
})

/** As the price list shows it. This server enforces nothing of a plan of the learning application. */
const listed = (row: queries.PlanRow, kind: 'center' | 'lms') => ({
  ...bareOf(row),
  features: kind === 'center' ? promisesOf(promiseOf(row)) : [],
})

export const listPlans = async (tx: IdentityTx, kind: 'center' | 'lms') =>
  (await queries.plansOf(tx, kind)).map((row) => listed(row, kind))

export const listVersions = async (tx: IdentityTx) =>
  (await queries.versionsOfPlans(tx)).map((row) => ({
    ...bareOf(row),
    webhooks: row.webhooks,
    features: [...row.features],
    offered: row.offered,
    createdAt: row.made_at.toISOString(),
    subscriptions: row.subscriptions,
  }))

export const isOffered = async (tx: DirectoryTx, id: string): Promise<boolean> =>
  (await queries.findPlan(tx, id)) !== undefined

/** The latest version of a plan that is offered. */
export async function requirePlan(tx: DirectoryTx | OperatorTx | IdentityTx, id: string): Promise<queries.PlanRow> {
  const plan = await queries.findPlan(tx, id)
  if (plan) return plan
  throw new Problem(
    'VALIDATION_ERROR',
    `There's no center plan with the ID "${id}". GET /api/provisioning/center-plans lists the plans.`,
    { details: { reason: 'planGone', field: 'planId' } },
  )
}

const rowOf = (body: Static<typeof NewPlanVersion>): queries.NewVersion => ({
  name: body.name,
  price: body.price,
  currency: body.currency,
  billing_cycle: body.billingCycle,
  seat_limit: body.seatLimit,
  staff_limit: body.staffLimit ?? null,
  trial_days: body.trialDays,
  webhooks: body.webhooks,
  features: body.features as CenterFeature[],
  offered: body.offered ?? true,
})

const note = (
  tx: DirectoryTx | OperatorTx,
  action: AuditAction<'settings.updated'>,
  id: string,
  version: number,
  row: queries.NewVersion,
) =>
  audit(tx, {
    type: 'settings.updated',
    action,
    target: { type: 'plan', id },
    details: {
      version,
      price: row.price,
      currency: row.currency,
      seatLimit: row.seat_limit,
      staffLimit: row.staff_limit,
    },
  })

export async function addPlan(tx: DirectoryTx | OperatorTx, { id, ...body }: Static<typeof NewPlan>) {
  const row = rowOf(body)
  if (!(await queries.insertPlan(tx, id, row))) {
    throw new Problem(
      'CONFLICT',
      `There's already a plan with the ID "${id}". Add a version to it, or choose another ID.`,
      { details: { reason: 'planTaken', field: 'id' } },
    )
  }
  await queries.insertVersion(tx, id, 1, row)
  await note(tx, 'plan added', id, 1, row)
  return { id, version: 1 }
}

/** Subscriptions keep the version that they have. */
export async function addVersion(tx: DirectoryTx | OperatorTx, id: string, body: Static<typeof NewPlanVersion>) {
  const plan = await queries.lockPlan(tx, id)
  if (!plan)
    throw new Problem('NOT_FOUND', `There's no center plan with the ID "${id}". List the plans to find the ID.`)
  const row = rowOf(body)
  const version = plan.version + 1
  await queries.insertVersion(tx, id, version, row)
  await note(tx, 'plan version added', id, version, row)
  return { id, version }
}

/** The plan with this ID in a new version, or the new plan. */
export async function putPlan(tx: OperatorTx, { id, ...body }: Static<typeof NewPlan>) {
  return (await queries.lockPlan(tx, id)) ? addVersion(tx, id, body) : addPlan(tx, { id, ...body })
}
