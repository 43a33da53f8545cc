/**
 * A center comes into being whole: order, center, subscription, administrator, learning tenant, role names and audit
 * entry are one transaction of the directory. Its cell needs nothing beforehand. A crash leaves all of it or none.
 */
import type { provisionCenter } from '@countersign/contract/provisioning.ts'
import { audit } from '../../audit/audit.ts'
import type { DirectoryTx } from '../../data/directory.ts'
import { meaning } from '../../data/transaction.ts'
import { fingerprintOf } from '../../http/idempotency.ts'
import type { Context } from '../../http/route.ts'
import { secondsFromNow } from '../../lib/clock.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { newUuid } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { Services } from '../../services.ts'
import { defaultSettings, verticalDefaults } from '../../verticals/defaults.ts'
import * as queries from './queries.ts'
import { reservedReason } from './subdomain.ts'

type Request = Context<typeof provisionCenter.spec>

const daySeconds = 86_400
const periodDays = { MONTHLY: 30, YEARLY: 365 } as const

const taken = () => new Problem('SUBDOMAIN_TAKEN', 'This subdomain is taken or reserved; choose another.')

export interface Provisioning {
  readonly centerId: number
  readonly created: boolean
}

export async function provision(services: Services, context: Request): Promise<Provisioning> {
  const { tx, body } = context
  const partnerId = await requireRight(services, context)
  const fingerprint = fingerprintOf(body)
  const centerId = await queries.nextCenterId(tx)
  if (!(await queries.claimOrder(tx, body.orderId, centerId, fingerprint)))
    return existing(tx, body.orderId, fingerprint)
  failpoint('provisioning: order')
  try {
    await create(services, context, centerId, partnerId)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(
      'PROVISIONING_FAILED',
      'The center could not be created; nothing was. Try again with the same orderId.',
      { cause: error },
    )
  }
  return { centerId, created: true }
}

/** The administrator-to-be, a partner or an operator; what a partner makes belongs to the partner. */
async function requireRight(services: Services, { body, principal, tx }: Request): Promise<string | null> {
  const { partnerId, adminExists } = await services.directory.identity(tx.caller, async (own) => ({
    partnerId: await queries.partnerOf(own, principal.actorId),
    adminExists: await queries.actorExists(own, body.adminActorId),
  }))
  if (body.adminActorId !== principal.actorId && !partnerId && !principal.isOperator) {
    throw new Problem('FORBIDDEN', 'You can create a center for yourself only: "adminActorId" must be your own id.')
  }
  if (!adminExists) throw new Problem('VALIDATION_ERROR', 'There is no actor with the id "adminActorId".')
  return partnerId
}

async function existing(tx: DirectoryTx, orderId: string, fingerprint: Buffer): Promise<Provisioning> {
  const order = await queries.findOrder(tx, orderId)
  if (!order.fingerprint.equals(fingerprint)) {
    throw new Problem(
      'DUPLICATE_PROVISIONING',
      'This orderId was used for another center; use a new one for a new center.',
    )
  }
  return { centerId: order.center_id, created: false }
}

async function create(
  services: Services,
  { tx, body }: Request,
  centerId: number,
  partnerId: string | null,
): Promise<void> {
  const vertical = body.vertical ?? 'education'
  const plan = await queries.findPlan(tx, body.planId)
  if (!plan)
    throw new Problem('VALIDATION_ERROR', `There is no center plan "${body.planId}"; see /provisioning/center-plans.`)
  if (reservedReason(body.subdomain)) throw taken()
  await queries.becomeCenter(tx, centerId)
  const cells = [...services.config.cells.keys()]
  await queries
    .insertCenter(tx, {
      id: centerId,
      domain: body.subdomain,
      name: body.centerName,
      vertical,
      business_number: body.businessNumber ?? null,
      partner_id: partnerId,
      cell: cells[centerId % cells.length] as string,
      settings: JSON.stringify(defaultSettings(vertical)),
    })
    .catch(meaning({ centers_domain_key: taken }))
  failpoint('provisioning: center')
  await queries.insertSubscription(tx, {
    center_id: centerId,
    plan_id: plan.id,
    status: plan.trial_days > 0 ? 'TRIAL' : 'ACTIVE',
    billing_cycle: plan.billing_cycle,
    current_period_end: secondsFromNow((plan.trial_days || periodDays[plan.billing_cycle]) * daySeconds),
    seat_limit: plan.seat_limit,
  })
  failpoint('provisioning: subscription')
  await queries.insertAdmin(tx, { center_id: centerId, id: newUuid(), actor_id: body.adminActorId })
  failpoint('provisioning: administrator')
  await queries.insertMapping(tx, { center_id: centerId, lms_tenant_id: newUuid() })
  const { terms } = verticalDefaults[vertical]
  const labels = { ADMIN: 'administrator', INSTRUCTOR: terms.instructor, PARENT: 'guardian', CHILD: terms.client }
  await queries.insertRoles(
    tx,
    Object.entries(labels).map(([role, label]) => ({ center_id: centerId, role, label })),
  )
  failpoint('provisioning: roles')
  await audit(tx, {
    type: 'center.provisioned',
    action: 'created',
    target: { type: 'center', id: String(centerId) },
    details: { orderId: body.orderId, planId: plan.id, vertical },
    centerId,
  })
  tx.afterCommit(() => services.authenticate.forget(`actor:${body.adminActorId}`))
  // The idempotency record of this request lives where the request began.
  await queries.becomeCenter(tx, tx.caller.centerId)
  failpoint('provisioning: before commit')
}
