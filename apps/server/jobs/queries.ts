import { type Kysely, sql } from 'kysely'

/** Deleting a session also deletes its refresh tokens and its push subscription. */
export const directoryExpiry = [
  'directory.sso_tokens',
  'directory.sessions',
  'directory.idempotency_records',
  'directory.invitations',
  'directory.partner_invitations',
  'directory.password_resets',
  'directory.sign_ups',
  'directory.passkey_challenges',
  'directory.oidc_attempts',
  'directory.site_handoffs',
  'directory.mails',
  'directory.told_addresses',
  'directory.push_notices',
  'directory.partner_visitors',
  'directory.partner_visitor_counts',
] as const
export const cellExpiry = ['cell.idempotency_records', 'cell.approval_challenges', 'cell.center_export_files'] as const

const step = 1000

/** One small step, so that no lock is held for long. Row policies hide every row that is still valid from this role. */
export async function deleteExpired(
  db: Kysely<never>,
  table: (typeof directoryExpiry)[number] | (typeof cellExpiry)[number],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.raw(table)}
    where ctid in (select ctid from ${sql.raw(table)} where expires_at < now() limit ${step})`.execute(db)
  return Number(numAffectedRows)
}
