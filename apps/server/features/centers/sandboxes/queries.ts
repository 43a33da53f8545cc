import type { Vertical } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import type { Approvers } from './copying.ts'

type Tx = DirectoryTx | OperatorTx

/** Locked: of concurrent requests for the sandboxes of one center, each sees the result of the one before. */
export const lockOwner = (tx: Tx, centerId: number) =>
  tx.db
    .selectFrom('centers')
    .select(['name', 'status', 'vertical', 'settings', 'country', 'region', 'cell'])
    .where('id', '=', centerId)
    .forUpdate()
    .$narrowType<{ vertical: Vertical }>()
    .executeTakeFirstOrThrow()

export interface SandboxRow {
  readonly id: number
  readonly status: string
  readonly domain: string
  readonly cell: string
  readonly place: number
  readonly label: string
  readonly by: string
  readonly created_at: Date
  readonly refreshed_at: Date | null
}

/** The sandboxes that have not ended, the first one first. */
export async function findSandboxes(tx: Tx, centerId: number): Promise<readonly SandboxRow[]> {
  const { rows } = await sql<SandboxRow>`
    select id, status, domain, cell, coalesce(sandbox_place, 1)::int as place, coalesce(sandbox_label, 'Sandbox') as label,
      sandbox_by as by, created_at, refreshed_at
    from directory.centers where sandbox_of = ${centerId} and status <> 'INACTIVE' order by place`.execute(tx.db)
  return rows
}

export async function madeSince(tx: Tx, centerId: number, since: Date): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select count(*)::int as made from directory.centers
    where sandbox_of = ${centerId} and created_at > ${since}`.execute(tx.db)
  return rows[0]?.made ?? 0
}

/** As the center. */
export async function findApprovers(tx: Tx, centerId: number): Promise<Approvers> {
  const { rows } = await sql<{ actor_id: string; role: 'ADMIN' | 'INSTRUCTOR' }>`
    select actor_id, role from directory.memberships
    where center_id = ${centerId} and directory.may_approve(role, status)`.execute(tx.db)
  return new Map(rows.map(({ actor_id, role }) => [actor_id, role]))
}

/** Whoever made the key if they are still an ADMIN, otherwise the one who has been it the longest. */
export async function adminBehindKey(tx: DirectoryTx, keyId: string): Promise<string | undefined> {
  const { rows } = await sql<{ actor_id: string }>`
    select m.actor_id from directory.memberships m
    where m.center_id = ${tx.caller.centerId} and m.role = 'ADMIN' and m.status = 'ACTIVE'
    order by m.actor_id = (select created_by from directory.api_keys where center_id = ${tx.caller.centerId} and id = ${keyId})
      desc nulls last, m.invited_at, m.id limit 1`.execute(tx.db)
  return rows[0]?.actor_id
}

/** As the sandbox. */
export const setRefreshed = (tx: DirectoryTx, settings: unknown) =>
  tx.db
    .updateTable('centers')
    .set({ settings: JSON.stringify(settings), refreshed_at: now() })
    .where('id', '=', tx.caller.centerId)
    .execute()

/** As the sandbox. */
export const revokeKeys = (tx: DirectoryTx) =>
  tx.db
    .updateTable('api_keys')
    .set({ revoked_at: now() })
    .where('center_id', '=', tx.caller.centerId)
    .where('revoked_at', 'is', null)
    .execute()

/** As the sandbox. */
export const stopWebhooks = (tx: TenantTx) =>
  tx.db
    .updateTable('webhooks')
    .set({ deleted_at: now() })
    .where('center_id', '=', tx.caller.centerId)
    .where('deleted_at', 'is', null)
    .execute()

export const isAdmin = async (tx: OperatorTx, centerId: number, actorId: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('memberships')
    .select('id')
    .where('center_id', '=', centerId)
    .where('actor_id', '=', actorId)
    .where('role', '=', 'ADMIN')
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()) !== undefined

/** As the center, which sees its administrators. */
export const personOf = (tx: Tx, actorId: string) =>
  tx.db.selectFrom('actors').select(['id', 'name', 'email']).where('id', '=', actorId).executeTakeFirstOrThrow()
