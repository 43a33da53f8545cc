import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { typedId } from '../../../lib/ids.ts'
import type { PasskeyRow } from '../../identity/passkeys/api.ts'
import type { PasskeyEntry, PasskeyFacts } from './passkey-fault.ts'

/** What belongs to entries about these passkeys; a person has few. */
export async function passkeyFacts(tx: TenantTx, ids: readonly string[]): Promise<(id: string) => PasskeyFacts> {
  if (ids.length === 0) return () => ({ row: null, entries: [] })
  const { centerId } = tx.caller
  const { rows } = await sql<{ row: PasskeyRow }>`
    select row_to_json(p) as row from cell.passkeys p where center_id = ${centerId} and (id = any (${ids}::uuid[])
      or actor_id in (select actor_id from cell.passkeys where center_id = ${centerId} and id = any (${ids}::uuid[])))`.execute(
    tx.db,
  )
  const keys = rows.map(({ row }) => row)
  const targets = [...new Set([...ids, ...keys.map(({ id }) => id)])].map((id) => typedId('passkey', id))
  const { rows: found } = await sql<{ entry: PasskeyEntry }>`
    select row_to_json(e) as entry from (
      select c.idx, c.hash, c.target, cell.named_in(c.content, 'state') as state, h.disclosed
      from cell.chain_entries c left join cell.history h on h.center_id = c.center_id and h.idx = c.idx
      where c.center_id = ${centerId} and c.domain = 'history' and c.target = any (${targets}::text[])
        and c.type = 'passkey'
      order by c.idx) e`.execute(tx.db)
  const entries = found.map(({ entry }) => entry)
  return (id) => {
    const row = keys.find((key) => key.id === id) ?? null
    const person = new Set(
      keys.filter((key) => key.actor_id === row?.actor_id).map((key) => typedId('passkey', key.id)),
    )
    return { row, entries: entries.filter(({ target }) => person.has(target)) }
  }
}

/** A page of passkeys in the order of their ids. */
export async function passkeyIdsAfter(tx: TenantTx, after: string | null, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cell.passkeys
    where center_id = ${tx.caller.centerId} ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`.execute(tx.db)
  return rows.map(({ id }) => id)
}
