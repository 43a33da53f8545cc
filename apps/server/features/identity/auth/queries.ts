import { sql } from 'kysely'
import type { Via } from '../../../access/step-up.ts'
import type { IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { now, secondsFromNow, today } from '../../../lib/clock.ts'

export interface Login {
  readonly actor_id: string
  readonly password_hash: string
}

export const findLogin = (tx: IdentityTx, identifier: string): Promise<Login | undefined> =>
  tx.db
    .selectFrom('login_identifiers')
    .innerJoin('credentials', 'credentials.actor_id', 'login_identifiers.actor_id')
    .select(['credentials.actor_id', 'password_hash'])
    .where('identifier', '=', identifier)
    .executeTakeFirst()

export const findActorByLogin = (tx: IdentityTx | OperatorTx, identifier: string) =>
  tx.db.selectFrom('login_identifiers').select('actor_id').where('identifier', '=', identifier).executeTakeFirst()

export interface PersonRow {
  readonly id: string
  readonly name: string
  readonly email: string | null
}

export const findPersonByLogin = (tx: IdentityTx | OperatorTx, identifier: string): Promise<PersonRow | undefined> =>
  tx.db
    .selectFrom('login_identifiers')
    .innerJoin('actors', 'actors.id', 'login_identifiers.actor_id')
    .select(['actors.id', 'actors.name', 'actors.email'])
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/** What decides an actor's destination, besides the memberships. An address that isn't verified decides nothing. */
export async function findResolutionInput(
  tx: IdentityTx,
  actorId: string,
): Promise<{ email: string | null; isPartner: boolean }> {
  const { rows } = await sql<{ email: string | null; isPartner: boolean }>`
    select case when a.email_verified_at is not null then a.email end as email, exists (select from directory.partner_accounts p where p.actor_id = a.id) as "isPartner"
    from directory.actors a where a.id = ${actorId}`.execute(tx.db)
  return rows[0] ?? { email: null, isPartner: false }
}

export interface NewSession {
  readonly id: string
  readonly actor_id: string
  readonly center_id: number | null
  readonly signed_in_at: Date
  readonly provider_id: string | null
  readonly site_id: string | null
  readonly via: Via
  readonly stepped_up_at?: Date | null
  readonly proved_at?: Date | null
  readonly passkey_id?: string | null
  readonly passkey_at?: Date | null
  readonly browser: string | null
  readonly system: string | null
  readonly expires_at: Date
}

export async function insertSession(tx: IdentityTx, session: NewSession): Promise<void> {
  await tx.db
    .insertInto('sessions')
    .values({ ...session, created_at: now(), last_used_at: now() })
    .execute()
}

/** Of a person who has signed in before. What a browser says of itself is no proof, and is enough to tell the person. */
export async function isNewDevice(
  tx: IdentityTx,
  actorId: string,
  { browser, system }: Pick<NewSession, 'browser' | 'system'>,
): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select browser is not distinct from ${browser}::text and system is not distinct from ${system}::text as known
    from directory.sessions where actor_id = ${actorId} order by 1 desc limit 1`.execute(tx.db)
  return rows[0]?.known === false
}

export type SessionBeginning = Omit<NewSession, 'id' | 'actor_id' | 'center_id' | 'expires_at'>

/** What the session that enters another center takes over. */
export const beginningOf = (tx: IdentityTx, sessionId: string): Promise<SessionBeginning | undefined> =>
  tx.db
    .selectFrom('sessions')
    .select([
      'signed_in_at',
      'provider_id',
      'site_id',
      'via',
      'stepped_up_at',
      'proved_at',
      'passkey_id',
      'passkey_at',
      'browser',
      'system',
    ])
    .where('id', '=', sessionId)
    .executeTakeFirst() as Promise<SessionBeginning | undefined>

/** When the person signed in, also where the session has entered another center since. */
export const signedInAt = async (tx: IdentityTx, sessionId: string): Promise<Date | undefined> =>
  (await tx.db.selectFrom('sessions').select('signed_in_at').where('id', '=', sessionId).executeTakeFirst())
    ?.signed_in_at

const visitSeconds = 2 * 86_400

/** Records for the dashboards of partners that this person was active today. Writes once a day, otherwise only reads. */
export const noteVisit = (tx: IdentityTx, actorId: string, centerIds: readonly number[]) =>
  sql`
    insert into directory.partner_visitors (partner_id, day, actor_id, expires_at)
    select distinct partner_id, ${today()}::date, ${actorId}::uuid, ${secondsFromNow(visitSeconds)}::timestamptz
    from directory.partner_centers where center_id = any (${centerIds}::integer[])
    order by partner_id on conflict do nothing`.execute(tx.db)

export interface RefreshTokenRow {
  readonly session_id: string
  readonly generation: number
  readonly used_at: Date | null
  readonly used_by: Buffer | null
  readonly successor: Buffer | null
}

export const insertRefreshToken = (tx: IdentityTx, row: { hash: Buffer; session_id: string; generation: number }) =>
  tx.db.insertInto('refresh_tokens').values(row).execute()

export const findRefreshToken = (tx: IdentityTx, hash: Buffer): Promise<RefreshTokenRow | undefined> =>
  tx.db
    .selectFrom('refresh_tokens')
    .select(['session_id', 'generation', 'used_at', 'used_by', 'successor'])
    .where('hash', '=', hash)
    .executeTakeFirst()

/** The session's row lock serializes all uses of its tokens. */
export const lockSession = (tx: IdentityTx, sessionId: string) =>
  tx.db.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().executeTakeFirst()

export async function isUnusedNewest(tx: IdentityTx, sessionId: string, generation: number): Promise<boolean> {
  const newest = await tx.db
    .selectFrom('refresh_tokens')
    .select(['generation', 'used_at'])
    .where('session_id', '=', sessionId)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return newest.generation === generation && newest.used_at === null
}

export async function spendRefreshToken(
  tx: IdentityTx,
  hash: Buffer,
  use: { used_at: Date; used_by: Buffer; successor: Buffer },
  sessionId: string,
): Promise<void> {
  await tx.db.updateTable('refresh_tokens').set(use).where('hash', '=', hash).execute()
  await tx.db.updateTable('sessions').set({ last_used_at: use.used_at }).where('id', '=', sessionId).execute()
  // The predecessor is no longer needed: no sealed successor of an older generation is kept.
  await sql`update directory.refresh_tokens set successor = null
    where session_id = ${sessionId} and successor is not null and hash <> ${hash}`.execute(tx.db)
}

/** Whose session it is, whatever its state. */
export const sessionOwner = (tx: IdentityTx, sessionId: string) =>
  tx.db.selectFrom('sessions').select(['id', 'actor_id', 'center_id']).where('id', '=', sessionId).executeTakeFirst()

export interface OwnSessionRow {
  readonly id: string
  readonly signed_in_at: Date
  readonly last_used_at: Date
  readonly expires_at: Date
  readonly provider_id: string | null
  readonly browser: string | null
  readonly system: string | null
  readonly center_id: number | null
  readonly center_name: string | null
  readonly center_domain: string | null
}

/** Those that have not ended; most people have a few. */
export const sessionsOf = (tx: IdentityTx, actorId: string): Promise<OwnSessionRow[]> =>
  tx.db
    .selectFrom('sessions as s')
    .leftJoin('centers as c', 'c.id', 's.center_id')
    .select(['s.id', 's.signed_in_at', 's.last_used_at', 's.expires_at', 's.provider_id', 's.center_id'])
    .select(['s.browser', 's.system', 'c.name as center_name', 'c.domain as center_domain'])
    .where('s.actor_id', '=', actorId)
    .where('s.revoked_at', 'is', null)
    .where('s.expires_at', '>', now())
    .orderBy('s.last_used_at', 'desc')
    .orderBy('s.id')
    .limit(100)
    .execute()

export type RevokeReason = 'logout' | 'switch' | 'reuse' | 'password' | 'operator' | 'unlinked' | 'erased'

/** False when a concurrent request ended it first. */
export async function revokeSession(tx: IdentityTx, sessionId: string, reason: RevokeReason): Promise<boolean> {
  const revoked = await tx.db
    .updateTable('sessions')
    .set({ revoked_at: now(), revoke_reason: reason })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

/** All of the person, or those that began with a provider. */
export const revokeAllSessions = (
  tx: IdentityTx,
  actorId: string,
  reason: RevokeReason,
  providerId?: string,
  except?: string,
): Promise<{ id: string; center_id: number | null }[]> =>
  tx.db
    .updateTable('sessions')
    .set({ revoked_at: now(), revoke_reason: reason })
    .where('actor_id', '=', actorId)
    .$if(providerId !== undefined, (query) => query.where('provider_id', '=', providerId as string))
    .$if(except !== undefined, (query) => query.where('id', '<>', except as string))
    .where('revoked_at', 'is', null)
    .returning(['id', 'center_id'])
    .execute()

/** False when the flag already has this value. */
export const setOperatorFlag = async (tx: OperatorTx, actorId: string, isOperator: boolean): Promise<boolean> =>
  (await tx.db
    .updateTable('actors')
    .set({ is_operator: isOperator })
    .where('id', '=', actorId)
    .where('is_operator', '<>', isOperator)
    .returning('id')
    .executeTakeFirst()) !== undefined

export const insertSsoToken = (
  tx: IdentityTx,
  row: { hash: Buffer; session_id: string; target_app: string; expires_at: Date },
) => tx.db.insertInto('sso_tokens').values(row).execute()

/** A token is used by deleting its row: of concurrent requests exactly one gets it. */
export const consumeSsoToken = (tx: IdentityTx, hash: Buffer, targetApp: string | undefined) =>
  tx.db
    .deleteFrom('sso_tokens')
    .where('hash', '=', hash)
    .where('expires_at', '>', now())
    .$if(targetApp !== undefined, (query) => query.where('target_app', '=', targetApp as string))
    .returning(['session_id', 'target_app'])
    .executeTakeFirst()
