import { type ActorRole, actorRoles, type TenantType, type Vertical } from '@countersign/contract/enums.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { sql } from 'kysely'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

type FoundingTx = DirectoryTx | OperatorTx

export interface Inheritance {
  readonly kind: string
  readonly settings: {
    readonly newCenters?: {
      readonly branding?: Readonly<Record<string, string>>
      readonly planId?: string
      readonly policies?: readonly Omit<PolicyBody, 'scope'>[]
    }
  }
}

/** Row-level security shows a partner itself only. */
export const findInheritance = (tx: FoundingTx, partnerId: string): Promise<Inheritance | undefined> =>
  tx.db
    .selectFrom('partners')
    .select(['kind', 'settings'])
    .where('id', '=', partnerId)
    .$castTo<Inheritance>()
    .executeTakeFirst()

export const findActor = (tx: IdentityTx, id: string) =>
  tx.db
    .selectFrom('actors')
    .select(['id', 'name', 'email'])
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()

/** Whether the person has an account of the partner, or is an ACTIVE member in one of its centers. */
export async function belongsTo(tx: IdentityTx, partnerId: string, actorId: string): Promise<boolean> {
  const { rows } = await sql<{ belongs: boolean }>`
    select exists (select from directory.partner_accounts where partner_id = ${partnerId} and actor_id = ${actorId})
      or exists (select from directory.memberships m join directory.partner_centers p on p.center_id = m.center_id
        where p.partner_id = ${partnerId} and m.actor_id = ${actorId} and m.status = 'ACTIVE') as belongs`.execute(
    tx.db,
  )
  return rows[0]?.belongs === true
}

/** A client of centers who has no other role in any: an invitation that nobody accepted gives no role. */
export async function isOnlyChild(tx: IdentityTx, actorId: string): Promise<boolean> {
  const { rows } = await sql<{ child: boolean | null }>`
    select bool_and(role = 'CHILD') as child from directory.family_memberships(${actorId})
    where status in ('ACTIVE', 'SUSPENDED') or (status = 'PENDING' and role = 'CHILD')`.execute(tx.db)
  return rows[0]?.child === true
}

/** Serializes the orders of one person until the transaction ends, so that concurrent ones are counted one after another. */
export const lockFounder = (tx: DirectoryTx, actorId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`founder ${actorId}`}, 0))`.execute(tx.db)

/** Centers that the person has founded for themselves and that have not ended. */
export async function countFounded(tx: IdentityTx, actorId: string): Promise<number> {
  const { rows } = await sql<{ centers: number }>`
    select count(*)::int as centers from directory.centers where owner_id = ${actorId} and status <> 'INACTIVE'`.execute(
    tx.db,
  )
  return rows[0]?.centers ?? 0
}

export const isTaken = async (tx: IdentityTx, domain: string): Promise<boolean> =>
  (await tx.db.selectFrom('centers').select('id').where('domain', '=', domain).executeTakeFirst()) !== undefined

export const nextCenterId = async (tx: FoundingTx, isSandbox = false): Promise<number> => {
  const sequence = isSandbox
    ? sql`'directory.sandbox_ids'::regclass`
    : sql`pg_get_serial_sequence('directory.centers', 'id')::regclass`
  const { rows } = await sql<{ id: number }>`select nextval(${sequence})::int as id`.execute(tx.db)
  return rows[0]?.id as number
}

/** An order as its partner or, without one, its caller names it. */
export interface OrderName {
  readonly scope: string
  readonly orderId: string
}

/** Waits for a concurrent request with this order; false when it is fulfilled. From here on row-level security shows its row. */
export async function claimOrder(
  tx: DirectoryTx,
  { scope, orderId }: OrderName,
  centerId: number,
  fingerprint: Buffer,
): Promise<boolean> {
  await sql`select set_config('app.order_id', ${`${scope} ${orderId}`}, true)`.execute(tx.db)
  const claimed = await tx.db
    .insertInto('provisioning_orders')
    .values({ scope, order_id: orderId, center_id: centerId, fingerprint, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('order_id')
    .executeTakeFirst()
  return claimed !== undefined
}

export const findOrder = (tx: DirectoryTx, { scope, orderId }: OrderName) =>
  tx.db
    .selectFrom('provisioning_orders')
    .select(['center_id', 'fingerprint'])
    .where('scope', '=', scope)
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()

export interface NewCenter {
  readonly id: number
  readonly domain: string
  readonly name: string
  readonly vertical: Vertical
  readonly business_number: string | null
  readonly partner_id: string | null
  readonly owner_id: string | null
  readonly cell: string
  readonly settings: string
  readonly inherited_policies: string | null
  readonly country: string
  readonly region: string | null
  readonly tenant_type?: TenantType
  readonly sandbox_of?: number
  readonly sandbox_by?: string
  readonly sandbox_place?: number
  readonly sandbox_label?: string
}

/** False when the name is taken, possibly after waiting for a concurrent request. */
export const insertCenter = async (tx: FoundingTx, center: NewCenter): Promise<boolean> =>
  (await tx.db
    .insertInto('centers')
    .values({ ...center, created_at: now() })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

export const insertSubscription = (
  tx: FoundingTx,
  row: {
    plan_id: string
    plan_version: number
    status: string
    billing_cycle: string
    current_period_end: Date
    seat_limit: number
    staff_limit: number | null
    center_id: number
  },
) => tx.db.insertInto('subscriptions').values(row).execute()

export const insertAdmin = (
  tx: FoundingTx,
  row: { center_id: number; id: string; actor_id: string; name: string; address: string | null },
) =>
  tx.db
    .insertInto('memberships')
    .values({ ...row, role: 'ADMIN', status: 'ACTIVE', invited_at: now() })
    .execute()

export const insertMapping = (tx: FoundingTx, row: { center_id: number; lms_tenant_id: string }) =>
  tx.db.insertInto('tenant_mappings').values(row).execute()

export const insertRoles = (tx: FoundingTx, center_id: number) =>
  tx.db
    .insertInto('center_roles')
    .values(actorRoles.map((role) => ({ center_id, role })))
    .execute()

export interface ProvisionedRows {
  readonly partner_id: string | null
  readonly membership: {
    id: string
    role: 'ADMIN'
    roles: ActorRole[]
    status: 'ACTIVE' | 'INVITED'
    invited_at: string
    ended_at: string | null
    actor_id: string
  }
  readonly lms_tenant_id: string
}

/** The result of one order, read as that center. */
export async function findProvisioned(tx: DirectoryTx, centerId: number): Promise<ProvisionedRows> {
  const { rows } = await sql<ProvisionedRows>`
    select c.partner_id, t.lms_tenant_id,
      (select to_json(m) from directory.memberships m
        where m.center_id = c.id and m.role = 'ADMIN' order by m.invited_at, m.id limit 1) as membership
    from directory.centers c join directory.tenant_mappings t on t.center_id = c.id
    where c.id = ${centerId}`.execute(tx.db)
  return rows[0] as ProvisionedRows
}
