import { sql } from 'kysely'
import { type DirectoryTx, type IdentityTx, ownerOf } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface ProviderRow {
  readonly id: string
  readonly center_id: number | null
  readonly partner_id: string | null
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly sealed: Buffer
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = [
  'id',
  'center_id',
  'partner_id',
  'name',
  'issuer',
  'client_id',
  'sealed',
  'created_at',
  'updated_at',
] as const

const ofOwner = (tx: DirectoryTx) => {
  const { center_id, partner_id } = ownerOf(tx)
  const rows = tx.db.selectFrom('oidc_providers').select(columns)
  return center_id === null ? rows.where('partner_id', '=', partner_id) : rows.where('center_id', '=', center_id)
}

/** Takes a lock, so that concurrent requests cannot exceed the limit of the owner. */
export async function countProviders(tx: DirectoryTx): Promise<number> {
  const { center_id, partner_id } = ownerOf(tx)
  const owner = String(center_id ?? partner_id)
  await sql`select pg_advisory_xact_lock(hashtext('directory.oidc_providers'), hashtext(${owner}))`.execute(tx.db)
  return (await ofOwner(tx).execute()).length
}

/** Undefined where the owner has this issuer and client already. */
export const insertProvider = (
  tx: DirectoryTx,
  row: Pick<ProviderRow, 'id' | 'name' | 'issuer' | 'client_id' | 'sealed'>,
): Promise<ProviderRow | undefined> =>
  tx.db
    .insertInto('oidc_providers')
    .values({ ...row, ...ownerOf(tx), created_at: now(), updated_at: now() })
    .onConflict((conflict) => conflict.constraint('oidc_providers_once').doNothing())
    .returning(columns)
    .executeTakeFirst()

export const listProviders = (tx: DirectoryTx): Promise<ProviderRow[]> => ofOwner(tx).orderBy('created_at').execute()

const isOwn = (tx: DirectoryTx) => {
  const { center_id, partner_id } = ownerOf(tx)
  return center_id === null ? sql<boolean>`partner_id = ${partner_id}` : sql<boolean>`center_id = ${center_id}`
}

export const updateProvider = (
  tx: DirectoryTx,
  id: string,
  change: Partial<Pick<ProviderRow, 'name' | 'sealed'>>,
): Promise<ProviderRow | undefined> =>
  tx.db
    .updateTable('oidc_providers')
    .set({ ...change, updated_at: now() })
    .where('id', '=', id)
    .where(isOwn(tx))
    .returning(columns)
    .executeTakeFirst()

export const deleteProvider = (tx: DirectoryTx, id: string): Promise<ProviderRow | undefined> =>
  tx.db.deleteFrom('oidc_providers').where('id', '=', id).where(isOwn(tx)).returning(columns).executeTakeFirst()

export const findProvider = (tx: IdentityTx, id: string): Promise<ProviderRow | undefined> =>
  tx.db.selectFrom('oidc_providers').select(columns).where('id', '=', id).executeTakeFirst()

export interface ProviderOfCenter extends ProviderRow {
  readonly for_center: number
}

/** Those with which members of a center sign in: its own, then those of its partner. */
export async function providersOfCenter(tx: IdentityTx, domain: string): Promise<ProviderOfCenter[]> {
  const { rows } = await sql<ProviderOfCenter>`
    select p.*, c.id as for_center from directory.centers c
      join directory.oidc_providers p on p.center_id = c.id or p.partner_id = c.partner_id
    where c.domain = ${domain} order by p.partner_id nulls first, p.created_at`.execute(tx.db)
  return rows
}

/** Secrets that another key encrypts than the current one; bytes 1 to 4 of a box name its key. */
export const sealedOtherwise = async (
  tx: IdentityTx,
  keyId: Buffer,
): Promise<readonly Pick<ProviderRow, 'id' | 'sealed'>[]> => {
  const { rows } = await sql<Pick<ProviderRow, 'id' | 'sealed'>>`
    select id, sealed from directory.oidc_providers where substr(sealed, 2, 4) <> ${keyId} limit 100`.execute(tx.db)
  return rows
}

export const sealAgain = (tx: IdentityTx, id: string, sealed: Buffer) =>
  tx.db.updateTable('oidc_providers').set({ sealed }).where('id', '=', id).execute()
