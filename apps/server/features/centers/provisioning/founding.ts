/** Creates a complete center in one transaction of the directory. */
import type { TenantType, Vertical } from '@countersign/contract/enums.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import { becomeCenter, type DirectoryTx, type OperatorTx } from '../../../data/directory.ts'
import { readCellRows } from '../../../data/known-cells.ts'
import { isTransient } from '../../../data/transaction.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { defaultSettings, type Inherited } from '../../../verticals/defaults.ts'
import { type InheritedPolicies, inheritedFrom } from '../../evidence/policies/api.ts'
import { requirePlace } from '../centers/api.ts'
import { type PlanRow, periodDays, requirePlan } from '../subscription/api.ts'
import { placeFor } from './place.ts'
import * as queries from './queries.ts'
import { reservedReason, sandboxSubdomains, subdomainsFor } from './subdomain.ts'

const daySeconds = 86_400

const taken = () => new Problem('SUBDOMAIN_TAKEN', 'This subdomain is taken or reserved. Choose another one.')

/** What a center begins with. */
interface First {
  readonly settings: unknown
  readonly policies: InheritedPolicies | null
}

interface Founding {
  /** The language of its people and mails, such as `en`; absent: Korean. */
  readonly locale?: string
  /** Generated when absent. */
  readonly id?: number
  readonly name: string
  /** Derived from the name when absent. */
  readonly subdomain?: string | undefined
  readonly vertical: Vertical
  /** CENTER when absent; row-level security restricts the other types. */
  readonly tenantType?: TenantType
  readonly businessNumber?: string | undefined
  /** KR and no region when absent. */
  readonly country?: string | undefined
  readonly region?: string | undefined
  readonly partnerId?: string | null
  /** The person who founds it for themselves: neither a partner nor the operator. */
  readonly ownerId?: string | null
  /** Null: no subscription, and therefore no seat limit. */
  readonly planId: string | null
  /** For the audit entry. */
  readonly orderId?: string
  /** For a sandbox: the center to which it belongs, the ADMIN who makes it, its place and name, and what it begins with. */
  readonly sandbox?: {
    readonly of: number
    readonly by: string
    readonly place: number
    readonly label: string
  } & First
}

/**
 * Creates the center with the settings of its vertical, its subscription, its administrator, its learning tenant, its
 * roles and the audit entry. `addAdministrator` runs as the new center; afterwards the transaction acts as before.
 */
export const foundCenter = <Tx extends DirectoryTx | OperatorTx>(
  config: Pick<Config, 'cells'>,
  tx: Tx,
  founding: Founding,
  addAdministrator: (own: Tx) => Promise<unknown>,
): Promise<number> =>
  found(config, tx, founding, addAdministrator).catch((error: unknown) => {
    // The transaction retries a temporary failure itself.
    if (error instanceof Problem || isTransient(error)) throw error
    throw new Problem(
      'PROVISIONING_FAILED',
      "The center couldn't be created, and nothing was stored. Send the same request again.",
      {
        cause: error,
      },
    )
  })

async function found<Tx extends DirectoryTx | OperatorTx>(
  config: Pick<Config, 'cells'>,
  tx: Tx,
  founding: Founding,
  addAdministrator: (own: Tx) => Promise<unknown>,
): Promise<number> {
  const { name, subdomain, vertical, planId, orderId, sandbox } = founding
  const place = { country: founding.country ?? 'KR', region: founding.region ?? null }
  requirePlace(place)
  const plan = planId === null ? null : await requirePlan(tx, planId)
  const id = founding.id ?? (await queries.nextCenterId(tx, sandbox !== undefined))
  await becomeCenter(tx, id)
  const own = { ...tx, caller: { ...tx.caller, centerId: id } }
  const cell = placeFor(id, [...config.cells.keys()], await readCellRows(own))
  const names = sandbox
    ? sandboxSubdomains()
    : freelyChosen(subdomain === undefined ? subdomainsFor(name) : [subdomain])
  const first = sandbox ?? (await firstOf(own, founding))
  await insertUnder(names, own, {
    id,
    name,
    vertical,
    business_number: founding.businessNumber ?? null,
    partner_id: founding.partnerId ?? null,
    owner_id: founding.ownerId ?? null,
    cell,
    settings: JSON.stringify(
      founding.locale ? { ...(first.settings as object), locale: founding.locale } : first.settings,
    ),
    inherited_policies: first.policies && JSON.stringify(first.policies),
    ...place,
    ...(founding.tenantType && { tenant_type: founding.tenantType }),
    ...(sandbox && {
      ...{ sandbox_of: sandbox.of, sandbox_by: sandbox.by },
      ...{ sandbox_place: sandbox.place, sandbox_label: sandbox.label },
    }),
  })
  failpoint('provisioning: center')
  if (plan) await subscribe(own, plan)
  failpoint('provisioning: subscription')
  await addAdministrator(own)
  failpoint('provisioning: administrator')
  await queries.insertMapping(own, { center_id: id, lms_tenant_id: newUuid() })
  await queries.insertRoles(own, id)
  failpoint('provisioning: roles')
  await audit(own, {
    type: 'center.provisioned',
    action: 'created',
    target: { type: 'center', id: String(id) },
    details: {
      ...(orderId !== undefined && { orderId }),
      ...(sandbox && { sandboxOf: sandbox.of }),
      ...{ planId, vertical, ...place },
    },
  })
  await becomeCenter(tx, tx.caller.centerId)
  return id
}

/** The defaults of the vertical, with the branding and the policies that the partner gives its new centers. */
async function firstOf(own: DirectoryTx | OperatorTx, { vertical, partnerId }: Founding): Promise<First> {
  const settings = defaultSettings(vertical)
  const partner = partnerId ? await queries.findInheritance(own, partnerId) : undefined
  if (!partner || !partnerId) return { settings, policies: null }
  const isFixed = partner.kind === 'franchise'
  const { branding, policies: bodies = [] } = partner.settings.newCenters ?? {}
  const policies = inheritedFrom({ id: partnerId, isFixed }, bodies)
  if (!branding) return { settings, policies }
  const inherited: Inherited = { branding, isFixed }
  return { settings: { ...settings, branding: { ...settings.branding, ...branding }, inherited }, policies }
}

/** Under the first of these names that is free. */
async function insertUnder(
  names: Iterable<string>,
  own: DirectoryTx | OperatorTx,
  center: Omit<queries.NewCenter, 'domain'>,
): Promise<void> {
  for (const domain of names) if (await queries.insertCenter(own, { ...center, domain })) return
  throw taken()
}

function* freelyChosen(names: Iterable<string>): Generator<string> {
  for (const name of names) if (!reservedReason(name)) yield name
}

/** The membership of the first administrator, read as the center itself. */
export async function administratorOf(
  own: DirectoryTx,
  center: { readonly name: string; readonly centerDomain: string },
) {
  const { centerId } = own.caller
  const { membership } = await queries.findProvisioned(own, centerId)
  return {
    id: typedId('membership', membership.id),
    centerId,
    centerName: center.name,
    centerDomain: center.centerDomain,
    role: membership.role,
    roles: membership.roles,
    status: membership.status,
    invitedAt: new Date(membership.invited_at).toISOString(),
    endedAt: membership.ended_at && new Date(membership.ended_at).toISOString(),
  }
}

interface Person {
  readonly id: string
  readonly name: string
  readonly email: string | null
}

/** ACTIVE at once, for a person who has an account. */
export async function addActiveAdministrator(
  own: DirectoryTx | OperatorTx,
  person: Person,
): Promise<{ readonly membershipId: string; readonly actorId: string }> {
  const { id: actorId, name, email: address } = person
  const membershipId = newUuid()
  await queries.insertAdmin(own, { center_id: own.caller.centerId, id: membershipId, actor_id: actorId, name, address })
  return { membershipId, actorId }
}

const subscribe = (own: DirectoryTx | OperatorTx, plan: PlanRow) =>
  queries.insertSubscription(own, {
    center_id: own.caller.centerId,
    plan_id: plan.id,
    plan_version: plan.version,
    status: plan.trial_days > 0 ? 'TRIAL' : 'ACTIVE',
    billing_cycle: plan.billing_cycle,
    current_period_end: secondsFromNow((plan.trial_days || periodDays[plan.billing_cycle]) * daySeconds),
    seat_limit: plan.seat_limit,
    staff_limit: plan.staff_limit,
  })
