import type { PasskeyAssertion, PasskeyKey, RegisterStatement } from '@countersign/proof/passkey.ts'
import { type SqlBool, sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'
import { statement } from '../../../data/prepared.ts'
import { now } from '../../../lib/clock.ts'

export const storeRpId = (tx: IdentityTx, rpId: string) =>
  sql`insert into directory.passkey_host (rp_id) values (${rpId}) on conflict do nothing`.execute(tx.db)

export const storedRpId = async (tx: IdentityTx): Promise<string | undefined> =>
  (await tx.db.selectFrom('passkey_host').select('rp_id').executeTakeFirst())?.rp_id

/** The random name of a person at authenticators; made at the first use. */
export async function userHandle(tx: IdentityTx, actorId: string, fresh: Buffer): Promise<Buffer> {
  await sql`insert into directory.passkey_users (actor_id, handle) values (${actorId}, ${fresh}) on conflict do nothing`.execute(
    tx.db,
  )
  const row = await tx.db
    .selectFrom('passkey_users')
    .select('handle')
    .where('actor_id', '=', actorId)
    .executeTakeFirstOrThrow()
  return row.handle
}

export type ChallengeKind = 'login' | 'register' | 'confirm' | 'step_up'

export interface Asker {
  readonly actorId: string
  readonly sessionId: string
}

export const insertChallenge = (
  tx: IdentityTx,
  row: { challenge: Uint8Array; kind: ChallengeKind; asker: Asker | null; pending: object | null; expires_at: Date },
) =>
  tx.db
    .insertInto('passkey_challenges')
    .values({
      challenge: Buffer.from(row.challenge),
      kind: row.kind,
      actor_id: row.asker?.actorId ?? null,
      session_id: row.asker?.sessionId ?? null,
      pending: row.pending && JSON.stringify(row.pending),
      expires_at: row.expires_at,
    })
    .execute()

/** Uses a challenge by deleting it: of concurrent requests exactly one gets it. `stated`: one over a statement. */
export async function spendChallenge(
  tx: IdentityTx,
  { challenge, kind, asker, stated }: { challenge: Buffer; kind: ChallengeKind; asker: Asker | null; stated: boolean },
): Promise<{ pending: unknown } | undefined> {
  return tx.db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('kind', '=', kind)
    .where('expires_at', '>', now())
    .where(sql<SqlBool>`(pending is not null) = ${stated}`)
    .$if(asker !== null, (query) =>
      query.where('actor_id', '=', asker?.actorId as string).where('session_id', '=', asker?.sessionId as string),
    )
    .returning('pending')
    .executeTakeFirst()
}

export interface StoredPasskey {
  readonly id: string
  readonly actor_id: string
  readonly credential_id: Buffer
  readonly thumbprint: string
  readonly key: PasskeyKey
  readonly cose: Buffer
  readonly transports: string[]
  readonly name: string | null
  readonly counter: number
  readonly aaguid: string
  readonly backup_eligible: boolean
  readonly confirmed_by: string | null
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const columns = [
  'id',
  'actor_id',
  'credential_id',
  'thumbprint',
  'key',
  'cose',
  'transports',
  'name',
  'counter',
  'aaguid',
  'backup_eligible',
  'confirmed_by',
  'created_at',
  'last_used_at',
] as const

/** The live keys of a person, the oldest first. */
export const livePasskeys = (tx: IdentityTx, actorId: string): Promise<StoredPasskey[]> =>
  tx.db
    .selectFrom('passkeys')
    .select(columns)
    .where('actor_id', '=', actorId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute() as Promise<unknown> as Promise<StoredPasskey[]>

const named = statement<StoredPasskey & { readonly handle: Buffer }>(`
  select ${columns.map((column) => `p.${column}`).join(', ')}, u.handle
  from directory.passkeys p join directory.passkey_users u using (actor_id)
  where p.credential_id = $1 and p.removed_at is null`)

export const livePasskeyOf = async (tx: IdentityTx, credentialId: Buffer) => (await named(tx, credentialId))[0]

export interface NewPasskey extends Omit<StoredPasskey, 'created_at' | 'last_used_at'> {
  readonly backed_up: boolean
  readonly statement: RegisterStatement
  readonly assertion: PasskeyAssertion
  readonly confirmation: PasskeyAssertion | null
}

export const insertPasskey = (tx: IdentityTx, row: NewPasskey): Promise<StoredPasskey> =>
  tx.db
    .insertInto('passkeys')
    .values({
      ...row,
      key: JSON.stringify(row.key),
      statement: JSON.stringify(row.statement),
      assertion: JSON.stringify(row.assertion),
      confirmation: row.confirmation && JSON.stringify(row.confirmation),
      created_at: now(),
    })
    .returning(columns)
    .executeTakeFirstOrThrow() as Promise<unknown> as Promise<StoredPasskey>

/** Locks the person, so that concurrent registrations cannot exceed the limit. */
export async function countLive(tx: IdentityTx, actorId: string): Promise<number> {
  await sql`select from directory.actors where id = ${actorId} for no key update`.execute(tx.db)
  return (await livePasskeys(tx, actorId)).length
}

/** A concurrent use may have stored a higher counter. False when the key was removed meanwhile. */
export async function noteUse(tx: IdentityTx, id: string, counter: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update directory.passkeys set counter = greatest(counter, ${counter}), last_used_at = ${now()}
    where id = ${id} and removed_at is null`.execute(tx.db)
  return numAffectedRows === 1n
}

/** False when the person has no such live key. */
export async function removeOwn(tx: IdentityTx, actorId: string, id: string): Promise<boolean> {
  const removed = await tx.db
    .updateTable('passkeys')
    .set({ removed_at: now() })
    .where('id', '=', id)
    .where('actor_id', '=', actorId)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}
