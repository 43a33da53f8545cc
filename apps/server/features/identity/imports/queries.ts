import type { MembershipStatus } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { DirectoryTx } from '../../../data/directory.ts'

/** Undoes what a row, or a dry run, has done in the transaction. */
export const mark = (tx: DirectoryTx, name: 'dry_run' | 'one_row') => sql`savepoint ${sql.ref(name)}`.execute(tx.db)
export const undo = (tx: DirectoryTx, name: 'dry_run' | 'one_row') =>
  sql`rollback to savepoint ${sql.ref(name)}`.execute(tx.db)
export const keep = (tx: DirectoryTx, name: 'one_row') => sql`release savepoint ${sql.ref(name)}`.execute(tx.db)

export interface NamedChild {
  readonly id: string
  readonly actor_id: string
  readonly status: MembershipStatus
  /** The addresses of its guardians, also of those who no longer are. */
  readonly guardians: readonly string[]
}

/** Children without a mailbox who have this name. */
export async function childrenNamed(tx: DirectoryTx, name: string): Promise<readonly NamedChild[]> {
  const { rows } = await sql<NamedChild>`
    select m.id, m.actor_id, m.status, array(
      select coalesce(p.address, '') from directory.guardianships g
      join directory.memberships p on p.center_id = g.center_id and p.actor_id = g.parent_id
      where g.center_id = m.center_id and g.child_id = m.actor_id) as guardians
    from directory.memberships m
    where m.center_id = ${tx.caller.centerId} and 'CHILD' = any (m.roles) and m.address is null and m.name = ${name}
    order by m.id`.execute(tx.db)
  return rows
}
