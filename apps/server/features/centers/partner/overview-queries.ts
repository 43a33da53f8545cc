/** Counts over all centers, as the role of sign-in, which reads no content. */
import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'

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

export interface PartnerRow {
  readonly id: string
  readonly name: string
  readonly kind: 'white_label' | 'franchise'
  readonly centers: number
  readonly members: number
}

export async function partnerRows(tx: IdentityTx, most: number): Promise<readonly PartnerRow[]> {
  const { rows } = await sql<PartnerRow>`
    select p.id, p.name, p.kind, count(c.id)::int as centers, coalesce(sum(c.member_count), 0)::int as members
    from (select * from directory.partners order by id desc limit ${most}) p
      left join directory.centers c on c.partner_id = p.id
    group by p.id, p.name, p.kind order by p.id desc`.execute(tx.db)
  return rows
}

export async function centersPerCell(tx: IdentityTx): Promise<readonly { cell: string; centers: number }[]> {
  const { rows } = await sql<{ cell: string; centers: number }>`
    select cell, count(*)::int as centers from directory.centers group by cell`.execute(tx.db)
  return rows
}

export const namesOfCenters = (tx: IdentityTx, ids: readonly number[]) =>
  tx.db
    .selectFrom('centers')
    .select(['id', 'name', 'domain'])
    .where((eb) => (ids.length > 0 ? eb('id', 'in', [...ids]) : eb.lit(false)))
    .execute()
