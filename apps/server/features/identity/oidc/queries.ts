import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export type AttemptKind = 'login' | 'link' | 'mail'

export interface AttemptRow {
  readonly hash: Buffer
  readonly kind: AttemptKind
  readonly provider_id: string
  readonly center_id: number
  readonly browser: Buffer
  readonly sealed: Buffer
  readonly expires_at: Date
}

export const insertAttempt = (tx: IdentityTx, row: AttemptRow) =>
  tx.db.insertInto('oidc_attempts').values(row).execute()

/** An attempt is used by deleting its row: of concurrent requests exactly one gets it. */
export const takeAttempt = (tx: IdentityTx, kind: AttemptKind, hash: Buffer) =>
  tx.db
    .deleteFrom('oidc_attempts')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now())
    .returning(['provider_id', 'center_id', 'browser', 'sealed'])
    .executeTakeFirst()

export const domainOfCenter = async (tx: IdentityTx, id: number): Promise<string> =>
  (await tx.db.selectFrom('centers').select('domain').where('id', '=', id).executeTakeFirstOrThrow()).domain

export interface AccountKey {
  readonly provider_id: string
  readonly issuer: string
  readonly subject: string
}

export const findAccount = (tx: IdentityTx, key: AccountKey) =>
  tx.db
    .selectFrom('oidc_accounts')
    .select(['actor_id', 'email_domain'])
    .where('provider_id', '=', key.provider_id)
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .executeTakeFirst()

/** False where the account is linked already. */
export const insertAccount = async (
  tx: IdentityTx,
  row: AccountKey & { actor_id: string; email_domain: string; linked_by: 'sign_in' | 'mail' },
): Promise<boolean> =>
  (await tx.db
    .insertInto('oidc_accounts')
    .values({ ...row, linked_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()) !== undefined

export const accountsOf = (tx: IdentityTx, actorId: string) =>
  tx.db
    .selectFrom('oidc_accounts as a')
    .innerJoin('oidc_providers as p', 'p.id', 'a.provider_id')
    .select(['a.id', 'a.provider_id', 'p.name', 'a.issuer', 'a.email_domain', 'a.linked_at'])
    .where('a.actor_id', '=', actorId)
    .orderBy('a.linked_at')
    .orderBy('a.id')
    .execute()

/** Undefined where the account is not linked to this person. */
export const removeAccount = (tx: IdentityTx, actorId: string, id: string) =>
  tx.db
    .deleteFrom('oidc_accounts as a')
    .using('oidc_providers as p')
    .whereRef('p.id', '=', 'a.provider_id')
    .where('a.id', '=', id)
    .where('a.actor_id', '=', actorId)
    .returning(['a.provider_id', 'p.center_id'])
    .executeTakeFirst()

/** Whether the person has a password or a passkey. */
export async function signsInOtherwise(tx: IdentityTx, actorId: string): Promise<boolean> {
  const { rows } = await sql<{ otherwise: boolean }>`
    select exists (select from directory.credentials where actor_id = ${actorId})
      or exists (select from directory.passkeys where actor_id = ${actorId} and removed_at is null) as otherwise`.execute(
    tx.db,
  )
  return rows[0]?.otherwise === true
}
