import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { IdentityTx, PartnerTx } from '../../../data/directory.ts'
import type { InheritedPolicies } from './inheritance.ts'
import type { VersionRow } from './policy.ts'

/** The versions in force: those of the center and the shared ones. */
export async function standingPolicies(tx: TenantTx): Promise<readonly VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select id, version, policy, digest, created_at from cell.newest_policies(${[tx.caller.centerId]}::integer[])
    where not deleted
    union all
    select id, version, policy, digest, created_at from (
      select distinct on (id) * from cell.shared_policies order by id, version desc) shared
    where not withdrawn
    order by id`.execute(tx.db)
  return rows
}

export async function policyVersions(tx: TenantTx, id: string): Promise<readonly VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select id, version, policy, digest, created_at from cell.policy_versions
    where center_id = ${tx.caller.centerId} and id = ${id}
    union all
    select id, version, policy, digest, created_at from cell.shared_policies where id = ${id}
    order by version desc`.execute(tx.db)
  return rows
}

export async function readInherited(tx: IdentityTx, centerId: number): Promise<InheritedPolicies> {
  const row = await tx.db
    .selectFrom('centers')
    .select('inherited_policies')
    .where('id', '=', centerId)
    .executeTakeFirstOrThrow()
  return row.inherited_policies as unknown as InheritedPolicies
}

export const centerOfPartner = (tx: PartnerTx, centerId: number) =>
  tx.db
    .selectFrom('centers')
    .select('status')
    .where('partner_id', '=', tx.partnerId)
    .where('id', '=', centerId)
    .executeTakeFirst()
