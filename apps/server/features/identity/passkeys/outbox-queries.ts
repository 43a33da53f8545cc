import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import type { CenterTable } from '../../../delivery/lease-queries.ts'
import type { BoundPasskey } from './seal.ts'

/** In the transaction that registers or removes a key. */
export const noteChange = (tx: IdentityTx, actorId: string) =>
  tx.db.insertInto('passkey_joins').values({ actor_id: actorId }).execute()

/** Returns how many changes became deliveries. */
export interface TakenChanges {
  readonly taken: number
  /** Deliveries of earlier changes are due. */
  readonly due: boolean
}

export async function takeChanges(tx: IdentityTx, most: number, at: Date): Promise<TakenChanges> {
  const { rows } = await sql<TakenChanges>`
    select directory.take_passkey_changes(${most}::integer, ${at}::timestamptz) as taken, exists (
      select from directory.passkey_deliveries where delivered_at is null and next_at <= ${at}) as due`.execute(tx.db)
  return rows[0] as TakenChanges
}

export const deliveries: CenterTable = {
  name: 'directory.passkey_deliveries',
  key: ['passkey_id', 'center_id', 'action'],
  lease: 'next_at',
  order: 'next_at',
  due: (at) => sql`next_at <= ${at}`,
  open: sql`delivered_at is null`,
}

export interface Delivery extends BoundPasskey {
  readonly action: 'bound' | 'removed'
}

/** Of one center, a binding before its removal and an older key before a newer one. */
export async function deliveriesOf(tx: IdentityTx, centerId: number, most: number): Promise<readonly Delivery[]> {
  const { rows } = await sql<Delivery>`
    select d.action, p.id, p.actor_id, p.key, p.thumbprint, p.aaguid, p.backup_eligible, p.backed_up, p.statement,
      p.assertion, p.confirmed_by, p.confirmation
    from directory.passkey_deliveries d join directory.passkeys p on p.id = d.passkey_id
    where d.center_id = ${centerId} and d.delivered_at is null
    order by d.passkey_id, d.action limit ${most}`.execute(tx.db)
  return rows
}

/** Returns the keys whose binding no other process has noted. */
export async function noteDelivered(
  tx: IdentityTx,
  centerId: number,
  delivered: readonly Delivery[],
  counting: ReadonlySet<string>,
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ passkey_id: string; action: string }>`
    update directory.passkey_deliveries d
    set delivered_at = ${at}, counts = d.action = 'bound' and d.passkey_id = any (${[...counting]}::uuid[])
    from unnest(${delivered.map(({ id }) => id)}::uuid[], ${delivered.map(({ action }) => action)}::text[]) as done (id, action)
    where d.passkey_id = done.id and d.center_id = ${centerId} and d.action = done.action and d.delivered_at is null
    returning d.passkey_id, d.action`.execute(tx.db)
  return new Set(rows.filter(({ action }) => action === 'bound').map(({ passkey_id }) => passkey_id))
}
