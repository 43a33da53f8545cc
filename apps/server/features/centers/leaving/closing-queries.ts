/** SQL of a center that leaves: its logs are closed, its rows deleted. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { OperatorTx } from '../../../data/directory.ts'
import type { ClosingCheckpoint } from '../../evidence/transparency/api.ts'

export type ClosedLog = Pick<ClosingCheckpoint, 'log' | 'size' | 'root' | 'note'> & { readonly domain: Domain }

/** The sizes of all logs, held until the end of the transaction; a log without entries gets its head. */
export async function lockHeads(tx: TenantTx): Promise<ReadonlyMap<Domain, number>> {
  const { centerId } = tx.caller
  await sql`
    insert into cell.chain_heads (center_id, domain) select ${centerId}, unnest(${[...domains]}::text[])
    on conflict do nothing`.execute(tx.db)
  const { rows } = await sql<{ domain: Domain; next_index: number }>`
    select domain, next_index from cell.chain_heads where center_id = ${centerId} order by domain for update`.execute(
    tx.db,
  )
  return new Map(rows.map(({ domain, next_index }) => [domain, next_index]))
}

export async function closedLogs(tx: TenantTx): Promise<readonly ClosedLog[]> {
  const { rows } = await sql<ClosedLog>`
    select domain, log, size, root, note from cell.closed_logs
    where center_id = ${tx.caller.centerId} order by domain`.execute(tx.db)
  return rows
}

export async function keepClosed(tx: TenantTx, { domain, log, size, root, note }: ClosedLog, at: Date): Promise<void> {
  const { centerId } = tx.caller
  await sql`
    insert into cell.closed_logs (center_id, domain, log, size, root, note, closed_at)
    values (${centerId}, ${domain}, ${log}, ${size}, ${root}, ${note}, ${at})`.execute(tx.db)
  await sql`
    update cell.chain_heads set closed = true where center_id = ${centerId} and domain = ${domain}`.execute(tx.db)
}

/** Of the records that public verification shows. */
export async function keepRecordIds(tx: TenantTx): Promise<void> {
  const { centerId } = tx.caller
  await sql`
    insert into cell.left_records (center_id, id, domain)
    select ${centerId}, id, domain from cell.dpus
    where center_id = ${centerId} and (domain = 'proof' or evidence_level = 'AUDIT_READY')`.execute(tx.db)
}

/** From here on rows of the center can be deleted in this database. */
export async function markLeft(db: Kysely<never>, centerId: number): Promise<void> {
  await sql`insert into cell.left_centers values (${centerId}) on conflict do nothing`.execute(db)
}

export async function forgetRows(db: Kysely<never>, centerId: number, most: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    select countersign.forget_rows(${centerId}, ${most})::integer as deleted`.execute(db)
  return rows[0]?.deleted ?? 0
}

export async function isInactive(tx: OperatorTx, centerId: number): Promise<boolean> {
  const { rows } = await sql`
    select from directory.centers where id = ${centerId} and status = 'INACTIVE' for update`.execute(tx.db)
  return rows.length === 1
}

/**
 * The row of the center and its memberships stay without names: ids and subdomains are not used again. Its domains and sign-in
 * providers are deleted, with what is linked to them: another center can prove the domain.
 */
export async function anonymizeCenter(tx: OperatorTx, centerId: number): Promise<void> {
  await sql`
    update directory.centers set name = 'A center that has left', settings = '{}', business_number = null,
      inherited_policies = null
    where id = ${centerId}`.execute(tx.db)
  await sql`
    update directory.memberships set name = '', address = null,
      ended_at = coalesce(ended_at, now()), status = 'ENDED' where center_id = ${centerId}`.execute(tx.db)
  await sql`
    update directory.api_keys set name = '', revoked_at = coalesce(revoked_at, now())
    where center_id = ${centerId}`.execute(tx.db)
  await sql`delete from directory.oidc_providers where center_id = ${centerId}`.execute(tx.db)
  await sql`delete from directory.saved_views where center_id = ${centerId}`.execute(tx.db)
  await sql`delete from directory.domains where center_id = ${centerId}`.execute(tx.db)
  await sql`delete from directory.logos where center_id = ${centerId}`.execute(tx.db)
  await sql`delete from directory.subscription_invoices where center_id = ${centerId}`.execute(tx.db)
}
