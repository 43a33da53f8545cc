import type { Scope } from '@countersign/contract/enums.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: Scope[]
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly created_at: Date
}

const columns = ['id', 'name', 'prefix', 'scopes', 'expires_at', 'last_used_at', 'created_at'] as const

export interface NewApiKey {
  readonly id: string
  readonly hash: Buffer
  readonly prefix: string
  readonly name: string
  readonly scopes: Scope[]
  readonly created_by: string
  readonly expires_at: Date | null
}

export const insertApiKey = (tx: DirectoryTx, key: NewApiKey): Promise<ApiKeyRow> =>
  tx.db
    .insertInto('api_keys')
    .values({ ...key, center_id: tx.caller.centerId, created_at: now() })
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
