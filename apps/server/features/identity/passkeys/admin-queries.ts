import { sql } from 'kysely'
import type { DirectoryTx } from '../../../data/directory.ts'

const mostAdmins = 100

export const asksAdmins = async (tx: DirectoryTx): Promise<boolean> =>
  (
    await tx.db
      .selectFrom('centers')
      .select('admin_passkeys')
      .where('id', '=', tx.caller.centerId)
      .executeTakeFirstOrThrow()
  ).admin_passkeys

/** False where it was so before. */
export async function setAsksAdmins(tx: DirectoryTx, required: boolean): Promise<boolean> {
  const changed = await tx.db
    .updateTable('centers')
    .set({ admin_passkeys: required })
    .where('id', '=', tx.caller.centerId)
    .where('admin_passkeys', '<>', required)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** The ACTIVE ADMINs, the oldest members first. */
export async function adminsAsked(tx: DirectoryTx) {
  const { rows } = await sql<{ actorId: string; name: string; email: string | null }>`
    select m.actor_id as "actorId", m.name, a.email
    from directory.memberships m join directory.actors a on a.id = m.actor_id
    where m.center_id = ${tx.caller.centerId} and m.role = 'ADMIN' and m.status = 'ACTIVE'
    order by m.invited_at, m.id limit ${mostAdmins}`.execute(tx.db)
  return rows
}
