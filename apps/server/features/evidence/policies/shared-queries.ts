/** Shared policies: in the directory, where the operator writes them, and their copies in the cells. */
import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import { type Kysely, sql } from 'kysely'
import { auditRow } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'

/** A transaction of the operator's shell, as the role `cs_operator`. */
export type OperatorAccess = Pick<DirectoryTx, 'db' | 'caller'>

export interface SharedVersion {
  readonly id: string
  readonly version: number
  readonly policy: string
  readonly digest: string
  readonly withdrawn: boolean
}

/** The newest version. Concurrent changes of shared policies wait for the end of this transaction. */
export async function lockNewest({ db }: OperatorAccess, id: string): Promise<SharedVersion | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('directory.policy_versions'))`.execute(db)
  return db
    .selectFrom('policy_versions')
    .select(['id', 'version', 'policy', 'digest', 'withdrawn'])
    .where('id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function addSharedVersion(
  { db, caller }: OperatorAccess,
  row: SharedVersion,
  action: AuditAction<'policy.changed'>,
  at: Date,
) {
  const created_by = caller.actorId ?? 'operator'
  await db
    .insertInto('policy_versions')
    .values({ ...row, created_by, created_at: at })
    .execute()
  const target = { type: 'policy', id: typedId('policy', row.id) }
  const { version, digest } = row
  const { details, ...entry } = auditRow(caller, {
    type: 'policy.changed',
    action,
    target,
    details: { version, digest },
  })
  await db
    .insertInto('audit_entries')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute()
}

/** Versions are only added, so their number shows whether a copy is complete. */
export async function countVersions(db: Kysely<never>, place: 'directory' | 'cell'): Promise<number> {
  const { rows } = await sql<{ versions: number }>`
    select count(*)::int as versions from ${placeOf(place)}`.execute(db)
  return rows[0]?.versions ?? 0
}

const placeOf = (place: 'directory' | 'cell') =>
  sql.raw(place === 'cell' ? 'cell.shared_policies' : 'directory.policy_versions')

/** As JSON, the form in which a cell stores them. */
export async function allVersions(db: Kysely<never>): Promise<string> {
  const { rows } = await sql<{ versions: string }>`
    select coalesce(json_agg(row_to_json(v)), '[]')::text as versions from directory.policy_versions v`.execute(db)
  return rows[0]?.versions ?? '[]'
}

export async function copyVersions(db: Kysely<never>, versions: string): Promise<void> {
  await sql`
    insert into cell.shared_policies (id, version, policy, digest, withdrawn, created_at)
    select id, version, policy, digest, withdrawn, created_at from json_to_recordset(${versions}::json) as v (
      id uuid, version integer, policy text, digest text, withdrawn boolean, created_at timestamptz)
    on conflict do nothing`.execute(db)
}
