/** Names, counts and states over all centers, as the role of sign-in, which reads no content. */
import type { CenterStatus, SubscriptionStatus, Vertical } from '@countersign/contract/enums.ts'
import type { Domain } from '@countersign/proof/chain.ts'
import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'

export interface CenterCounts {
  readonly active: number
  readonly suspended: number
  readonly inactive: number
  readonly sandboxes: number
}

export async function centerCounts(tx: IdentityTx): Promise<CenterCounts> {
  const { rows } = await sql<CenterCounts>`
    select count(*) filter (where status = 'ACTIVE' and sandbox_of is null)::int as active,
      count(*) filter (where status = 'SUSPENDED' and sandbox_of is null)::int as suspended,
      count(*) filter (where status = 'INACTIVE' and sandbox_of is null)::int as inactive,
      count(*) filter (where sandbox_of is not null)::int as sandboxes
    from directory.centers`.execute(tx.db)
  return rows[0] as CenterCounts
}

export async function centersPerCell(tx: IdentityTx): Promise<readonly { cell: string; centers: number }[]> {
  const { rows } = await sql<{ cell: string; centers: number }>`
    select cell, count(*)::int as centers from directory.centers group by cell`.execute(tx.db)
  return rows
}

export const namesOfCenters = (tx: IdentityTx, ids: readonly number[]) =>
  tx.db
    .selectFrom('centers')
    .select(['id', 'name', 'domain', 'cell'])
    .where((eb) => (ids.length > 0 ? eb('id', 'in', [...ids]) : eb.lit(false)))
    .execute()

interface Range {
  readonly limit: number
  readonly offset: number
}

const containing = (search: string): string => `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`

async function counted(tx: IdentityTx, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(tx.db)
  return rows[0]?.n ?? 0
}

export interface PartnerRow {
  readonly id: string
  readonly name: string
  readonly kind: 'white_label' | 'franchise'
  readonly centers: number
  readonly members: number
  readonly created_at: Date
}

const partnersNamed = (search: string) => sql`directory.partners where name ilike ${containing(search)}`
export const countPartners = (tx: IdentityTx, search: string) => counted(tx, partnersNamed(search))

export async function pageOfPartners(tx: IdentityTx, search: string, { limit, offset }: Range) {
  const { rows } = await sql<PartnerRow>`
    select p.id, p.name, p.kind, p.created_at, count(c.id)::int as centers, coalesce(sum(c.member_count), 0)::int as members
    from (select * from ${partnersNamed(search)} order by id desc limit ${limit} offset ${offset}) p
      left join directory.centers c on c.partner_id = p.id
    group by p.id, p.name, p.kind, p.created_at order by p.id desc`.execute(tx.db)
  return rows
}

export interface Sought {
  readonly search: string
  readonly status: CenterStatus | null
  readonly cell: string | null
  readonly partner: string | null
}

export interface PlatformCenterRow {
  readonly id: number
  readonly name: string
  readonly domain: string
  readonly status: CenterStatus
  readonly vertical: Vertical
  readonly cell: string
  readonly partner_id: string | null
  readonly partner_name: string | null
  readonly member_count: number
  readonly sandbox: boolean
  readonly created_at: Date
}

const centersLike = ({ search, status, cell, partner }: Sought) => sql`directory.centers
  where (name ilike ${containing(search)} or domain ilike ${containing(search)} or id::text = ${search})
    and (${status}::text is null or status = ${status}) and (${cell}::text is null or cell = ${cell})
    and (${partner}::uuid is null or partner_id = ${partner})`
export const countCenters = (tx: IdentityTx, sought: Sought) => counted(tx, centersLike(sought))

export async function pageOfCenters(tx: IdentityTx, sought: Sought, { limit, offset }: Range) {
  const { rows } = await sql<PlatformCenterRow>`
    select c.id, c.name, c.domain, c.status, c.vertical, c.cell, c.partner_id, p.name as partner_name, c.member_count,
      c.sandbox, c.created_at
    from (select * from ${centersLike(sought)} order by id desc limit ${limit} offset ${offset}) c
      left join directory.partners p on p.id = c.partner_id
    order by c.id desc`.execute(tx.db)
  return rows
}

export interface OperatedRow extends PlatformCenterRow {
  readonly suspended_by: 'partner' | 'operator' | null
  readonly subscription: {
    readonly planId: string
    readonly planName: string
    readonly planVersion: number
    readonly status: SubscriptionStatus
    readonly currentPeriodEnd: string
    readonly seatLimit: number
    readonly seatUsed: number
    readonly staffLimit: number | null
    readonly staffUsed: number
  } | null
}

/** By the role of sign-in, or as the center itself. */
export async function operatedCenter(tx: IdentityTx | DirectoryTx, centerId: number): Promise<OperatedRow | undefined> {
  const { rows } = await sql<OperatedRow>`
    select c.id, c.name, c.domain, c.status, c.vertical, c.cell, c.partner_id, p.name as partner_name, c.member_count,
      c.sandbox, c.created_at, c.suspended_by, (select json_build_object('planId', s.plan_id, 'planName', v.name,
        'planVersion', s.plan_version, 'status', s.status, 'currentPeriodEnd', s.current_period_end, 'seatLimit', s.seat_limit,
        'seatUsed', s.seat_used, 'staffLimit', s.staff_limit, 'staffUsed', s.staff_used)
        from directory.subscriptions s join directory.plan_versions v on v.plan_id = s.plan_id and v.version = s.plan_version
        where s.center_id = c.id) as subscription
    from directory.centers c left join directory.partners p on p.id = c.partner_id
    where c.id = ${centerId}`.execute(tx.db)
  return rows[0]
}

export interface HashRow {
  readonly idx: number
  readonly hash: string
  readonly previous_hash: string | null
  readonly computed: string
  readonly sealed_at: string
}

/** The entry at this index and the one before. The database hashes their content, so that it stays there. */
export async function hashesAt(tx: TenantTx, domain: Domain, index: number): Promise<readonly HashRow[]> {
  const { rows } = await sql<HashRow>`
    select idx, left(hash, 100) as hash, left(previous_hash, 100) as previous_hash, sealed_at,
      'sha256:' || encode(sha256(convert_to(content || coalesce(previous_hash, '') || sealed_at, 'UTF8')), 'hex') as computed
    from cell.chain_entries
    where center_id = ${tx.caller.centerId} and domain = ${domain} and idx in (${index - 1}, ${index})`.execute(tx.db)
  return rows
}
