/** Who approves on whose behalf. A row is never deleted: approvals given while it was in force go on counting by it. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

export interface DeputyRow {
  readonly actor_id: string
  readonly deputy_id: string
  readonly starts_at: Date
  readonly ends_at: Date
}

export async function putDeputy(tx: TenantTx, { actor_id, deputy_id, starts_at, ends_at }: DeputyRow): Promise<void> {
  await sql`
    insert into cell.deputies (actor_id, deputy_id, starts_at, ends_at)
    values (${actor_id}, ${deputy_id}, ${starts_at}, ${ends_at})
    on conflict (center_id, actor_id) do update
      set deputy_id = excluded.deputy_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at`.execute(tx.db)
}

/** Those in force or to come in which this actor is absent or the deputy. */
export async function deputiesOf(tx: TenantTx, actorId: string, at: Date): Promise<readonly DeputyRow[]> {
  const { rows } = await sql<DeputyRow>`
    select actor_id, deputy_id, starts_at, ends_at from cell.deputies
    where center_id = ${tx.caller.centerId} and (actor_id = ${actorId} or deputy_id = ${actorId}) and ends_at > ${at}
    order by starts_at, actor_id`.execute(tx.db)
  return rows
}

/** One that has not begun is over before it begins. Undefined where there is none in force or to come. */
export async function stopDeputy(tx: TenantTx, actorId: string, at: Date): Promise<DeputyRow | undefined> {
  const { rows } = await sql<DeputyRow>`
    update cell.deputies set ends_at = ${at}, starts_at = least(starts_at, ${at}::timestamptz - interval '1 millisecond')
    where center_id = ${tx.caller.centerId} and actor_id = ${actorId} and ends_at > ${at}
    returning actor_id, deputy_id, starts_at, ends_at`.execute(tx.db)
  return rows[0]
}
