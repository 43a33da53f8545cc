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
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly created_at: Date
}

const columns = [
  ...(['id', 'name', 'prefix', 'scopes', 'bound_to', 'keeps_webhooks'] as const),
  ...(['expires_at', 'last_used_at', 'created_at'] as const),
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
}

/** Takes a lock, so that concurrent requests cannot exceed the limit of the center. */
export async function countLiveKeys(tx: DirectoryTx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('directory.api_keys'), ${tx.caller.centerId})`.execute(tx.db)
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
