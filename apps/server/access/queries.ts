/** Lookups before the tenant is known. */
import type {
  ActorRole,
  MembershipStatus,
  PartnerRole,
  Scope,
  SubscriptionStatus,
} from '@countersign/contract/enums.ts'
import type { CenterPlanId } from '@countersign/contract/promises.ts'
import { sql } from 'kysely'
import type { IdentityTx } from '../data/directory.ts'
import { statement } from '../data/prepared.ts'

export interface FamilyMembership {
  readonly membership_id: string
  readonly center_id: number
  readonly center_name: string
  readonly center_domain: string
  readonly center_status: string
  readonly center_cell: string
  readonly custom_domain: string | null
  readonly role: ActorRole
  readonly status: MembershipStatus
  readonly invited_at: Date
  readonly ended_at: Date | null
}

const idsOfFamily = statement<{ id: string }>('select id from directory.family_of($1) id')

/** The actors who share a verified address with this one, itself included: they count as one person. */
export const familyOf = async (tx: IdentityTx, actorId: string): Promise<readonly string[]> =>
  (await idsOfFamily(tx, actorId)).map(({ id }) => id)

const membershipsOf = statement<FamilyMembership>('select * from directory.family_memberships($1)')

/** All memberships of the actor's family, one per center. The only source of which centers an actor may enter. */
export const familyMemberships = (tx: IdentityTx, actorId: string): Promise<FamilyMembership[]> =>
  membershipsOf(tx, actorId)

/** The memberships that grant entry now. */
export const authorizedMemberships = async (tx: IdentityTx, actorId: string): Promise<FamilyMembership[]> =>
  (await familyMemberships(tx, actorId)).filter((row) => row.status === 'ACTIVE' && row.center_status === 'ACTIVE')

export interface SessionRow {
  readonly id: string
  readonly actor_id: string
  readonly center_id: number | null
  readonly expires_at: Date
  readonly revoked_at: Date | null
  readonly email: string | null
  readonly phone: string | null
  readonly name: string
  readonly actor_role: ActorRole
  readonly is_operator: boolean
  readonly partner: { readonly id: string; readonly role: PartnerRole } | null
  readonly membership: FamilyMembership | null
}

const sessionsById = statement<SessionRow>(`
  select s.id, s.actor_id, s.center_id, s.expires_at, s.revoked_at,
    a.email, a.phone, a.name, a.role as actor_role, a.is_operator,
    (select json_build_object('id', p.partner_id, 'role', p.role) from directory.partner_accounts p where p.actor_id = a.id) as partner,
    (select to_json(m) from directory.family_memberships(a.id) m where m.center_id = s.center_id) as membership
  from directory.sessions s join directory.actors a on a.id = s.actor_id
  where s.id = any ($1::uuid[])`)

/** Everything that requests need to know about their sessions. */
export const findSessions = (tx: IdentityTx, sessionIds: readonly string[]): Promise<SessionRow[]> =>
  sessionsById(tx, sessionIds)

export const findSession = async (tx: IdentityTx, sessionId: string): Promise<SessionRow | undefined> =>
  (await findSessions(tx, [sessionId]))[0]

export interface ProfileRow {
  readonly center_id: number
  readonly cell: string
  readonly name: string
  readonly vertical: string
  readonly settings: unknown
  readonly status: string
  readonly country: string
  readonly region: string | null
  /** Null for a center without a subscription. */
  readonly plan_id: CenterPlanId | null
  readonly subscription: SubscriptionStatus | null
}

/** A key with its center. */
export interface KeyRow extends ProfileRow {
  readonly hash: Buffer
  readonly id: string
  readonly scopes: Scope[]
  readonly rate_limit: number | null
  readonly bound_to: { readonly id: string; readonly type: string } | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

const profileColumns =
  'c.id as center_id, c.cell, c.name, c.vertical, c.settings, c.status, c.country, c.region, s.plan_id, s.status as subscription'

const keysByHash = statement<KeyRow>(`
  select k.hash, k.id, k.scopes, k.rate_limit, k.bound_to, k.expires_at, k.revoked_at, ${profileColumns}
  from directory.api_keys k join directory.centers c on c.id = k.center_id
    left join directory.subscriptions s on s.center_id = c.id
  where k.hash = any ($1::bytea[])`)

export const findKeys = (tx: IdentityTx, hashes: readonly Buffer[]): Promise<KeyRow[]> => keysByHash(tx, hashes)

const profilesById = statement<ProfileRow>(`
  select ${profileColumns} from directory.centers c left join directory.subscriptions s on s.center_id = c.id
  where c.id = any ($1::integer[])`)

export const findProfiles = (tx: IdentityTx, centerIds: readonly number[]): Promise<ProfileRow[]> =>
  profilesById(tx, centerIds)

export async function touchKeys(tx: IdentityTx, used: ReadonlyMap<string, Date>): Promise<void> {
  await sql`
    update directory.api_keys k set last_used_at = u.at
    from unnest(${[...used.keys()]}::uuid[], ${[...used.values()].map((at) => at.toISOString())}::timestamptz[]) u (id, at)
    where k.id = u.id`.execute(tx.db)
}

/** Digits only are an id, everything else is a slug; no slug consists of digits only. */
export const centerIdOf = (center: string): number | null =>
  /^\d{1,10}$/.test(center) && Number(center) <= 2_147_483_647 ? Number(center) : null

export async function centerExists(tx: IdentityTx, center: string): Promise<boolean> {
  const id = centerIdOf(center)
  const row = await tx.db
    .selectFrom('centers')
    .select('id')
    .where((eb) => (id === null ? eb('domain', '=', center) : eb('id', '=', id)))
    .executeTakeFirst()
  return row !== undefined
}
