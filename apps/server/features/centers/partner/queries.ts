import type { PartnerRole, Vertical } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { DirectoryTx, IdentityTx, PartnerTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import type { MemberRow } from '../../identity/members/api.ts'
import type { CenterRow } from '../centers/api.ts'

const centerColumns = [
  'id',
  'name',
  'domain',
  'tenant_type',
  'status',
  'vertical',
  'member_count',
  'settings',
  'country',
  'region',
  'suspended_by',
  'admin_count',
] as const

export interface PartnerCenterRow extends CenterRow {
  readonly suspended_by: 'partner' | 'operator' | null
  readonly admin_count: number
}

/** Row-level security already restricts the rows; the condition is for the planner and the reader. */
const ownCenters = (tx: PartnerTx) => tx.db.selectFrom('centers').where('partner_id', '=', tx.partnerId)

/** The similarity from which a word of the name counts as a match. */
const alike = 0.5

/**
 * Compares the partner's own centers, which an index finds. A trigram index cannot be used under row-level security,
 * because its operators are not leakproof.
 */
const matching = (search: string) => {
  const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(name ilike ${part} or domain ilike ${part} or word_similarity(${search}, name) >= ${alike})`
}

export const pageOfCenters = (
  tx: PartnerTx,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<PartnerCenterRow[]> =>
  ownCenters(tx)
    .select(centerColumns)
    .$if(search !== '', (query) => query.where(matching(search)))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute() as Promise<PartnerCenterRow[]>

export interface ExportedCenter {
  readonly id: number
  readonly name: string
  readonly centerDomain: string
  readonly tenantType: string
  readonly vertical: string
  readonly status: string
  readonly country: string
  readonly region: string | null
  readonly memberCount: number
  readonly planId: string | null
  readonly subscriptionStatus: string | null
  readonly createdAt: Date
}

const exportedAtOnce = 500

export async function exportedCenters(tx: PartnerTx, before: number | null): Promise<ExportedCenter[]> {
  const { rows } = await sql<ExportedCenter>`
    select c.id, c.name, c.domain as "centerDomain", c.tenant_type as "tenantType", c.vertical, c.status, c.country, c.region,
      c.member_count as "memberCount", s.plan_id as "planId", s.status as "subscriptionStatus", c.created_at as "createdAt"
    from directory.centers c left join directory.subscriptions s on s.center_id = c.id
    where c.partner_id = ${tx.partnerId} and (${before}::integer is null or c.id < ${before})
    order by c.id desc limit ${exportedAtOnce}`.execute(tx.db)
  return rows
}

export const countMatching = async (tx: PartnerTx, search: string): Promise<number> =>
  (
    await ownCenters(tx)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where(matching(search))
      .executeTakeFirstOrThrow()
  ).n

export const findCenter = (tx: PartnerTx, id: number): Promise<PartnerCenterRow | undefined> =>
  ownCenters(tx).select(centerColumns).where('id', '=', id).executeTakeFirst() as Promise<PartnerCenterRow | undefined>

/** Locked for a change: of two concurrent ones the second sees the result of the first. */
export const lockCenter = (tx: PartnerTx, id: number) =>
  ownCenters(tx)
    .select(['name', 'status', 'admin_count', 'suspended_by'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export interface CenterPlace {
  readonly id: number
  readonly name: string
  readonly cell: string
}

export const placesOfCenters = (tx: PartnerTx): Promise<CenterPlace[]> =>
  ownCenters(tx).select(['id', 'name', 'cell']).execute()

/** Ordered by center, so that a page is a scan of two indexes. */
export async function pageOfMembers(tx: PartnerTx, limit: number, offset: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.center_id, c.name as center_name, c.domain as center_domain, m.actor_id, m.name, m.address, m.accepted,
      m.role, m.roles, m.status, m.invited_at, m.ended_at
    from (
      select m.* from directory.partner_centers p join directory.memberships m on m.center_id = p.center_id
      where p.partner_id = ${tx.partnerId} order by m.center_id, m.id limit ${limit} offset ${offset}
    ) m
    join directory.centers c on c.id = m.center_id
    join directory.actors a on a.id = m.actor_id
    order by m.center_id, m.id`.execute(tx.db)
  return rows
}

export interface PartnerFigures {
  readonly centers: number
  readonly members: number
  readonly memberships: number
  readonly visitors: number
}

/** A sum of a few rows that triggers maintain; no rows are counted. */
export async function findFigures(tx: PartnerTx, day: string): Promise<PartnerFigures> {
  const { rows } = await sql<PartnerFigures>`
    select coalesce(sum(centers), 0)::int as centers, coalesce(sum(members), 0)::int as members,
      coalesce(sum(memberships), 0)::int as memberships,
      (select coalesce(sum(visitors), 0)::int from directory.partner_visitor_counts
        where partner_id = ${tx.partnerId} and day = ${day}::date) as visitors
    from directory.partner_figures where partner_id = ${tx.partnerId}`.execute(tx.db)
  return rows[0] as PartnerFigures
}

export interface PayingPlan {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly price: number
  readonly billing_cycle: 'MONTHLY' | 'YEARLY'
  readonly subscriptions: number
}

export async function payingPlans(tx: PartnerTx): Promise<PayingPlan[]> {
  const { rows } = await sql<PayingPlan>`
    select p.id, v.version, v.name, v.price, v.billing_cycle, sum(f.subscriptions)::int as subscriptions
    from directory.partner_plan_figures f join directory.plans p on p.id = f.plan_id
      join directory.plan_versions v on v.plan_id = f.plan_id and v.version = f.plan_version
    where f.partner_id = ${tx.partnerId}
    group by p.id, v.plan_id, v.version having sum(f.subscriptions) > 0 order by p.position, p.id, v.version`.execute(
    tx.db,
  )
  return rows
}

export interface PartnerRow {
  readonly name: string
  readonly kind: 'white_label' | 'franchise'
  readonly settings: { readonly newCenters?: { readonly planId?: string } }
  readonly default_plan_id: string
  readonly currency: string
}

export const findPartner = (tx: PartnerTx): Promise<PartnerRow> =>
  tx.db
    .selectFrom('partners')
    .innerJoin('plans', 'plans.id', 'partners.default_plan_id')
    .select(['partners.name', 'partners.kind', 'settings', 'default_plan_id', 'currency'])
    .where('partners.id', '=', tx.partnerId)
    .$castTo<PartnerRow>()
    .executeTakeFirstOrThrow()

/** Locked for a change: concurrent patches are applied one after the other. */
export const lockSettings = async (tx: PartnerTx): Promise<unknown> =>
  (
    await tx.db
      .selectFrom('partners')
      .select('settings')
      .where('id', '=', tx.partnerId)
      .forUpdate()
      .executeTakeFirstOrThrow()
  ).settings

export const storeSettings = (tx: PartnerTx, settings: string) =>
  tx.db.updateTable('partners').set({ settings }).where('id', '=', tx.partnerId).execute()

/** Returns the default plan of its centers too. */
export const insertPartner = (tx: DirectoryTx, partner: { id: string; name: string; kind: string }) =>
  tx.db
    .insertInto('partners')
    .values({ ...partner, created_at: now() })
    .returning('default_plan_id')
    .executeTakeFirstOrThrow()

export const insertAccount = (tx: DirectoryTx, row: { partner_id: string; actor_id: string; role: PartnerRole }) =>
  tx.db.insertInto('partner_accounts').values(row).execute()

/** By slug, or by the custom domain of a white-label center or one of a white-label partner: a slug has no dots, a domain always has. */
export const findBranded = (tx: IdentityTx, domain: string) =>
  tx.db
    .selectFrom('centers')
    .select(['domain', 'name', 'vertical', 'settings'])
    .where((eb) =>
      eb.or([
        eb('domain', '=', domain),
        eb.and([
          eb('custom_domain', '=', domain),
          eb.or([
            eb('tenant_type', '=', 'WHITE_LABEL'),
            eb.exists(
              eb
                .selectFrom('partners as p')
                .select('p.id')
                .whereRef('p.id', '=', 'centers.partner_id')
                .where('p.kind', '=', 'white_label'),
            ),
          ]),
          eb.exists(
            eb
              .selectFrom('domains as d')
              .select('d.id')
              .whereRef('d.center_id', '=', 'centers.id')
              .whereRef('d.domain', '=', 'centers.custom_domain')
              .where('d.purpose', '=', 'site')
              .where('d.proven_at', 'is not', null),
          ),
        ]),
      ]),
    )
    .where('status', '<>', 'INACTIVE')
    .executeTakeFirst() as Promise<{ domain: string; name: string; vertical: Vertical; settings: unknown } | undefined>
