import type { ApiKey } from '@countersign/contract/api-keys.ts'
import type { Scope } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { DirectoryTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

type KeyActor = NonNullable<Static<typeof ApiKey>['actor']>

export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: Scope[]
  readonly bound_to: KeyActor | null
  readonly keeps_webhooks: boolean
  readonly replaces: string | null
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly created_at: Date
}

const columns = [
  ...(['id', 'name', 'prefix', 'scopes', 'bound_to', 'keeps_webhooks'] as const),
  ...(['replaces', 'expires_at', 'last_used_at', 'created_at'] as const),
] as const

export interface NewApiKey {
  readonly id: string
  readonly hash: Buffer
  readonly prefix: string
  readonly name: string
  readonly scopes: Scope[]
  readonly bound_to: KeyActor | null
  readonly created_by: string
  readonly expires_at: Date | null
  readonly replaces?: string
  readonly first_key?: string
}

/** Until the end of the transaction, no other one creates or rotates keys of this center. */
export async function lockKeys(tx: DirectoryTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('directory.api_keys'), ${tx.caller.centerId})`.execute(tx.db)
}

export async function countLiveKeys(tx: DirectoryTx): Promise<number> {
  const row = await tx.db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('keys'))
    .where('center_id', '=', tx.caller.centerId)
    .where('revoked_at', 'is', null)
    .where((each) => each.or([each('expires_at', 'is', null), each('expires_at', '>', now())]))
    .executeTakeFirstOrThrow()
  return row.keys
}

export const insertApiKey = (tx: DirectoryTx, key: NewApiKey): Promise<ApiKeyRow> =>
  tx.db
    .insertInto('api_keys')
    .values({
      ...key,
      bound_to: key.bound_to && JSON.stringify(key.bound_to),
      center_id: tx.caller.centerId,
      created_at: now(),
    })
    .returning(columns)
    .executeTakeFirstOrThrow() as Promise<ApiKeyRow>

export const listApiKeys = (tx: DirectoryTx): Promise<ApiKeyRow[]> =>
  tx.db
    .selectFrom('api_keys')
    .select(columns)
    .where('center_id', '=', tx.caller.centerId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute() as Promise<ApiKeyRow[]>

export async function revokeApiKey(tx: DirectoryTx, id: string): Promise<boolean> {
  const revoked = await tx.db
    .updateTable('api_keys')
    .set({ revoked_at: now() })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

export interface RotatedRow extends ApiKeyRow {
  readonly first_key: string | null
  readonly isReplaced: boolean
  /** The key that it replaces still works. */
  readonly isReplacing: boolean
}

/** Unless it was revoked. */
export async function keyToRotate(tx: DirectoryTx, id: string): Promise<RotatedRow | undefined> {
  const { rows } = await sql<RotatedRow>`
    select ${sql.join(columns.map((each) => sql.ref(`k.${each}`)))}, k.first_key,
      exists (select from directory.api_keys n
        where n.center_id = k.center_id and n.replaces = k.id and n.revoked_at is null) as "isReplaced",
      exists (select from directory.api_keys p where p.center_id = k.center_id and p.id = k.replaces
        and p.revoked_at is null and (p.expires_at is null or p.expires_at > ${now()})) as "isReplacing"
    from directory.api_keys k
    where k.center_id = ${tx.caller.centerId} and k.id = ${id} and k.revoked_at is null`.execute(tx.db)
  return rows[0]
}

export async function expireApiKey(tx: DirectoryTx, id: string, at: Date): Promise<void> {
  await tx.db
    .updateTable('api_keys')
    .set({ expires_at: at })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .execute()
}
