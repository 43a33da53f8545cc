import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

export interface SignUpRow {
  readonly identifier: string
  readonly hash: Buffer
  readonly email: string
  readonly name: string
  readonly expires_at: Date
}

/** False, and nothing written, when the address asked within the last `seconds`. */
export async function storeSignUp(tx: IdentityTx, row: SignUpRow, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into directory.sign_ups as s (identifier, hash, email, name, asked_at, expires_at)
    values (${row.identifier}, ${row.hash}, ${row.email}, ${row.name}, ${now()}, ${row.expires_at})
    on conflict (identifier) do update
      set hash = excluded.hash, name = excluded.name, asked_at = excluded.asked_at, expires_at = excluded.expires_at
      where s.asked_at <= excluded.asked_at - make_interval(secs => ${seconds})
    returning 1`.execute(tx.db)
  return rows.length > 0
}

/** Uses the sign-up by deleting it. */
export const takeSignUp = (tx: IdentityTx, hash: Buffer) =>
  tx.db
    .deleteFrom('sign_ups')
    .where('hash', '=', hash)
    .where('expires_at', '>', now())
    .returning(['identifier', 'email', 'name'])
    .executeTakeFirst()

/** False when the identifier has an account. The caller then rolls back. */
export async function insertAccount(
  tx: IdentityTx,
  account: { id: string; identifier: string; email: string; name: string; passwordHash: string },
): Promise<boolean> {
  const { id, identifier, email, name, passwordHash } = account
  await tx.db.insertInto('actors').values({ id, email, email_verified_at: now(), name, role: 'PARENT' }).execute()
  await tx.db.insertInto('credentials').values({ actor_id: id, password_hash: passwordHash }).execute()
  const { rows } = await sql`
    insert into directory.login_identifiers (identifier, actor_id) values (${identifier}, ${id})
    on conflict do nothing returning 1`.execute(tx.db)
  return rows.length > 0
}
