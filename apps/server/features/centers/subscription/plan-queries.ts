/** Plans, of which a subscription keeps the version that it was made under. */
import type { CenterFeature } from '@countersign/contract/promises.ts'
import { sql } from 'kysely'
import type { DirectoryTx, IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface PlanRow {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly price: number
  readonly currency: string
  readonly billing_cycle: 'MONTHLY' | 'YEARLY'
  readonly seat_limit: number
  readonly staff_limit: number | null
  readonly trial_days: number
  readonly webhooks: number
  readonly features: readonly CenterFeature[]
  readonly offered: boolean
}

const columns = sql`v.plan_id as id, v.version, v.name, v.price, v.currency, v.billing_cycle, v.seat_limit, v.staff_limit,
  v.trial_days, v.webhooks, v.features, v.offered`

/** The latest version of each, in the order of the price list. */
export async function plansOf(
  tx: IdentityTx,
  kind: 'center' | 'lms',
  { offeredOnly = true } = {},
): Promise<readonly PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select ${columns} from directory.plans p
      join directory.plan_versions v on v.plan_id = p.id and v.version = p.version
    where p.kind = ${kind} and (v.offered or not ${offeredOnly}) order by p.position, p.id`.execute(tx.db)
  return rows
}

/** The latest version of a plan for centers that is offered. */
export async function findPlan(tx: DirectoryTx | OperatorTx | IdentityTx, id: string): Promise<PlanRow | undefined> {
  const { rows } = await sql<PlanRow>`
    select ${columns} from directory.plans p
      join directory.plan_versions v on v.plan_id = p.id and v.version = p.version
    where p.id = ${id} and p.kind = 'center' and v.offered`.execute(tx.db)
  return rows[0]
}

export interface VersionRow extends PlanRow {
  readonly made_at: Date
  readonly subscriptions: number
}

/** Every version of every plan for centers, the latest of a plan first, with the subscriptions that keep it. */
export async function versionsOfPlans(tx: IdentityTx): Promise<readonly VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select ${columns}, v.made_at, (select count(*)::int from directory.subscriptions s
      where s.plan_id = v.plan_id and s.plan_version = v.version and s.status <> 'CANCELED') as subscriptions
    from directory.plans p join directory.plan_versions v on v.plan_id = p.id
    where p.kind = 'center' order by p.position, p.id, v.version desc`.execute(tx.db)
  return rows
}

export type NewVersion = Omit<PlanRow, 'id' | 'version'>

/** False where there is a plan with this id. Version 1 is to be inserted next. */
export async function insertPlan(tx: DirectoryTx | OperatorTx, id: string, version: NewVersion): Promise<boolean> {
  const { name, price, currency, billing_cycle, seat_limit, trial_days } = version
  const { rows } = await sql`
    insert into directory.plans (id, kind, name, price, currency, billing_cycle, seat_limit, trial_days, position)
    select ${id}, 'center', ${name}, ${price}, ${currency}, ${billing_cycle}, ${seat_limit}, ${trial_days},
      coalesce(max(position), 0) + 1 from directory.plans where kind = 'center'
    on conflict do nothing returning 1`.execute(tx.db)
  return rows.length === 1
}

/** Of two concurrent versions of a plan the second one waits for the first. Undefined without such a plan. */
export const lockPlan = (tx: DirectoryTx | OperatorTx, id: string): Promise<{ readonly version: number } | undefined> =>
  tx.db
    .selectFrom('plans')
    .select('version')
    .where('id', '=', id)
    .where('kind', '=', 'center')
    .forNoKeyUpdate()
    .executeTakeFirst()

export const insertVersion = (tx: DirectoryTx | OperatorTx, id: string, version: number, row: NewVersion) =>
  sql`insert into directory.plan_versions (plan_id, version, name, price, currency, billing_cycle, seat_limit, staff_limit,
      trial_days, webhooks, features, offered, made_at)
    values (${id}, ${version}, ${row.name}, ${row.price}, ${row.currency}, ${row.billing_cycle}, ${row.seat_limit},
      ${row.staff_limit}, ${row.trial_days}, ${row.webhooks}, ${row.features as string[]}::text[], ${row.offered}, ${now()})`.execute(
    tx.db,
  )
