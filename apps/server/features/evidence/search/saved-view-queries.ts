import { sql } from 'kysely'
import type { DirectoryTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface ViewRow<Filters> {
  readonly id: string
  /** Null: of the center. */
  readonly owner_id: string | null
  readonly name: string
  readonly filters: Filters
  readonly updated_at: Date
}

const columns = sql`id, owner_id, name, filters, updated_at`

export async function viewsFor<F>(tx: DirectoryTx, actorId: string): Promise<readonly ViewRow<F>[]> {
  const { rows } = await sql<ViewRow<F>>`
    select ${columns} from directory.saved_views
    where center_id = ${tx.caller.centerId} and (owner_id is null or owner_id = ${actorId})
    order by owner_id nulls first, name_key`.execute(tx.db)
  return rows
}

/** Of many who save the same name at once, one inserts and the others change it. */
export async function upsertView<F>(
  tx: DirectoryTx,
  { id, owner_id, name, filters }: Omit<ViewRow<F>, 'updated_at'>,
): Promise<ViewRow<F> & { readonly isNew: boolean }> {
  const { rows } = await sql<ViewRow<F>>`
    insert into directory.saved_views (id, owner_id, name, filters, updated_at)
    values (${id}, ${owner_id}, ${name}, ${JSON.stringify(filters)}::json, ${now()})
    on conflict on constraint saved_views_name do update
      set name = excluded.name, filters = excluded.filters, updated_at = excluded.updated_at
    returning ${columns}`.execute(tx.db)
  const row = rows[0] as ViewRow<F>
  return { ...row, isNew: row.id === id }
}

/** The own view that has become the center's. */
export const deleteOwnNamesake = (tx: DirectoryTx, sharedId: string, actorId: string) =>
  sql`
    delete from directory.saved_views v using directory.saved_views s
    where s.center_id = ${tx.caller.centerId} and s.id = ${sharedId}
      and v.center_id = s.center_id and v.owner_id = ${actorId} and v.name_key = s.name_key`.execute(tx.db)

/** Locked, so that one of two who delete it writes the audit entry. */
export async function lockView(tx: DirectoryTx, id: string, actorId: string) {
  const { rows } = await sql<{ owner_id: string | null; name: string }>`
    select owner_id, name from directory.saved_views
    where center_id = ${tx.caller.centerId} and id = ${id} and (owner_id is null or owner_id = ${actorId})
    for update`.execute(tx.db)
  return rows[0]
}

export const removeView = (tx: DirectoryTx, id: string) =>
  tx.db.deleteFrom('saved_views').where('center_id', '=', tx.caller.centerId).where('id', '=', id).execute()
