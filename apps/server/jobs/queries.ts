import { type Kysely, sql } from 'kysely'

/** Deleting a session also deletes its refresh tokens and its push subscription. */
export const directoryExpiry = [
  'directory.sso_tokens',
  'directory.sessions',
  'directory.idempotency_records',
  'directory.invitations',
  'directory.partner_invitations',
  'directory.invited_recipients',
  'directory.password_resets',
  'directory.sign_ups',
  'directory.address_changes',
  'directory.passkey_challenges',
  'directory.oidc_attempts',
  'directory.site_handoffs',
  'directory.mails',
  'directory.message_causes',
  'directory.messages_told',
  'directory.digest_items',
  'directory.told_addresses',
  'directory.push_notices',
  'directory.partner_visitors',
  'directory.partner_visitor_counts',
] as const
export const cellExpiry = [
  'cell.idempotency_records',
  'cell.approval_challenges',
  'cell.center_export_files',
  'cell.message_causes',
] as const

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

export interface PeriodicRow {
  readonly name: string
  readonly cron: string
  readonly scheduled_at: Date
  readonly succeeded_at: Date | null
  readonly failed_at: Date | null
  readonly error: string | null
  readonly failures: number
  readonly running: boolean
}

/**
 * One row for each schedule. A run counts as in progress only while its worker can be alive: a worker that died leaves its run
 * active. The message of an error can quote what a center wrote, so only its kind is read.
 */
export async function periodicJobs(db: Kysely<never>): Promise<readonly PeriodicRow[]> {
  const { rows } = await sql<PeriodicRow>`
    select s.name, s.cron, s.created_on as scheduled_at, j.*
    from pgboss.schedule s cross join lateral (
      select max(completed_on) filter (where state = 'completed') as succeeded_at,
        max(coalesce(completed_on, started_on)) filter (where state in ('retry', 'failed')) as failed_at,
        left((array_agg(coalesce(output ->> 'code', output ->> 'name') order by coalesce(completed_on, started_on) desc)
          filter (where state in ('retry', 'failed')))[1], 100) as error,
        count(*) filter (where state in ('retry', 'failed'))::int as failures,
        coalesce(bool_or(state = 'active'
          and greatest(started_on, heartbeat_on) > now() - make_interval(secs => coalesce(heartbeat_seconds * 2, expire_seconds))
        ), false) as running
      from pgboss.job where name = s.name) j
    order by s.name`.execute(db)
  return rows
}

/** What `cell.due_work` returns; `job NAME` for a queue. */
export type WorkKind = 'deliver' | 'workflow' | 'export' | 'schedule' | `job ${string}`

/** The kinds of work of which something is due, and whether something becomes due by `soon`. */
export async function dueKinds(
  db: Kysely<never>,
  at: Date,
  soon: Date,
): Promise<{ due: Set<WorkKind>; soon: boolean }> {
  const { rows } = await sql<{ kind: WorkKind; later: boolean }>`
    select kind, false as later from cell.due_work(${at}) union all select kind, true from cell.due_work(${soon})`.execute(
    db,
  )
  const due = rows.filter(({ later }) => !later).map(({ kind }) => kind)
  return { due: new Set(due), soon: rows.some(({ later }) => later) }
}
