import { sql } from 'kysely'
import type { Lease } from '../../../concurrency/leases.ts'
import { type DirectoryTx, type IdentityTx, ownerOf } from '../../../data/directory.ts'
import type { LeasedTable } from '../../../delivery/lease-queries.ts'
import { now } from '../../../lib/clock.ts'
import type { ProofState } from './proof.ts'
import type { Findings, Working } from './works.ts'

export interface DomainRow extends ProofState, Working {
  readonly id: string
  readonly center_id: number | null
  readonly partner_id: string | null
  readonly purpose: 'email' | 'site'
  readonly domain: string
  readonly token: string
  readonly created_at: Date
  /** Null before the first check. */
  readonly found: Findings | null
}

const columns = [
  'id',
  'center_id',
  'partner_id',
  'purpose',
  'domain',
  'token',
  'created_at',
  'proven_at',
  'checked_at',
  'absences',
  'absent_since',
  'next_check_at',
  'found',
  'works_since',
  'failing_since',
] as const

const ofOwner = (tx: DirectoryTx) => {
  const { center_id, partner_id } = ownerOf(tx)
  const rows = tx.db.selectFrom('domains').select(columns).$castTo<DomainRow>()
  return center_id === null ? rows.where('partner_id', '=', partner_id) : rows.where('center_id', '=', center_id)
}

/** Takes a lock, so that concurrent requests cannot exceed the limit of the owner. */
export async function countDomains(tx: DirectoryTx): Promise<number> {
  const { center_id, partner_id } = ownerOf(tx)
  const owner = String(center_id ?? partner_id)
  await sql`select pg_advisory_xact_lock(hashtext('directory.domains'), hashtext(${owner}))`.execute(tx.db)
  return (await ofOwner(tx).execute()).length
}

/** Undefined where the owner has the domain already. */
export const insertDomain = (
  tx: DirectoryTx,
  row: Pick<DomainRow, 'id' | 'purpose' | 'domain' | 'token'>,
): Promise<DomainRow | undefined> =>
  tx.db
    .insertInto('domains')
    .values({ ...row, ...ownerOf(tx), created_at: now() })
    .onConflict((conflict) => conflict.constraint('domains_once').doNothing())
    .returning(columns)
    .$castTo<DomainRow>()
    .executeTakeFirst()

export const listDomains = (tx: DirectoryTx): Promise<DomainRow[]> => ofOwner(tx).orderBy('created_at').execute()

export const findDomain = (tx: DirectoryTx, id: string): Promise<DomainRow | undefined> =>
  ofOwner(tx).where('id', '=', id).executeTakeFirst()

export const lockDomain = (tx: DirectoryTx | IdentityTx, id: string): Promise<DomainRow | undefined> =>
  tx.db.selectFrom('domains').select(columns).$castTo<DomainRow>().where('id', '=', id).forUpdate().executeTakeFirst()

export const storeProof = (
  tx: DirectoryTx | IdentityTx,
  id: string,
  state: ProofState & Working & { readonly found: Findings },
) => {
  const { proven_at, checked_at, absences, absent_since, next_check_at, works_since, failing_since } = state
  return tx.db
    .updateTable('domains')
    .set({ proven_at, checked_at, absences, absent_since, next_check_at, works_since, failing_since })
    .set({ found: JSON.stringify(state.found) })
    .where('id', '=', id)
    .execute()
}

export const deleteDomain = (tx: DirectoryTx, id: string): Promise<DomainRow | undefined> => {
  const { center_id, partner_id } = ownerOf(tx)
  return tx.db
    .deleteFrom('domains')
    .where('id', '=', id)
    .where((eb) => (center_id === null ? eb('partner_id', '=', partner_id) : eb('center_id', '=', center_id)))
    .returning(columns)
    .$castTo<DomainRow>()
    .executeTakeFirst()
}

export type DueDomain = DomainRow & Lease

/** Proven domains, by their next check. There is no epoch, because what an older worker found is valid too. */
export const checks: LeasedTable = {
  name: 'directory.domains',
  key: ['id'],
  lease: 'next_check_at',
  epoch: null,
  due: (at) => sql`next_check_at <= ${at}`,
  order: 'next_check_at',
  columns: columns.map((column) => `r.${column}`).join(', '),
}

/** Of these centers, those that have proven this email domain, or whose partner has. */
export async function centersOfDomain(
  tx: IdentityTx,
  domain: string,
  centerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select c.id from directory.centers c where c.id = any (${centerIds}::integer[]) and exists (
      select from directory.domains d where d.purpose = 'email' and d.domain = ${domain} and d.proven_at is not null
        and (d.center_id = c.id or d.partner_id = c.partner_id))`.execute(tx.db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a center or a partner has proven that addresses of this domain are its own. */
export const hasProven = async (
  tx: IdentityTx,
  owner: { readonly center_id: number | null; readonly partner_id: string | null },
  domain: string,
): Promise<boolean> => {
  const { center_id, partner_id } = owner
  const row = await tx.db
    .selectFrom('domains')
    .select('id')
    .where((eb) => (center_id === null ? eb('partner_id', '=', partner_id) : eb('center_id', '=', center_id)))
    .where('purpose', '=', 'email')
    .where('domain', '=', domain)
    .where('proven_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
