import { type Kysely, sql } from 'kysely'

/** A session takes its refresh tokens with it. */
export const directoryExpiry = [
  'directory.sso_tokens',
  'directory.sessions',
  'directory.idempotency_records',
  'directory.invitations',
  'directory.password_resets',
  'directory.mails',
  'directory.partner_visitors',
  'directory.partner_visitor_counts',
] as const
export const cellExpiry = ['cell.idempotency_records'] as const

const step = 1000

/** One small step, so that no lock is held for long; the role's policies show it nothing that is still valid. */
export async function deleteExpired(
  db: Kysely<never>,
  table: (typeof directoryExpiry)[number] | (typeof cellExpiry)[number],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.raw(table)}
    where ctid in (select ctid from ${sql.raw(table)} where expires_at < now() limit ${step})`.execute(db)
  return Number(numAffectedRows)
}
