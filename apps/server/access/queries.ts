/** Lookups before the tenant is known. */
import type {
  ActorRole,
  MembershipStatus,
  PartnerRole,
  Scope,
  SubscriptionStatus,
} from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { CenterProfile } from '../data/center-profile.ts'
import type { IdentityTx, PartnerTx } from '../data/directory.ts'
import { statement } from '../data/prepared.ts'
import { admittedOf, type CenterOwner, type Confinement } from './confinement.ts'
import type { Via } from './step-up.ts'

export interface FamilyMembership {
  readonly membership_id: string
  readonly center_id: number
  readonly center_name: string
  readonly center_domain: string
  readonly center_status: string
  readonly center_cell: string
  readonly custom_domain: string | null
  readonly partner_id: string | null
  readonly role: ActorRole
  readonly roles: readonly ActorRole[]
  readonly status: MembershipStatus
  readonly invited_at: Date
  readonly ended_at: Date | null
  /** Who suspended the center; null while it is not suspended. */
  readonly suspended_by: 'partner' | 'operator' | null
}

const idsOfFamily = statement<{ id: string }>('select id from directory.family_of($1) id')

/** The actors who share a verified address with this one, itself included: they count as one person. */
export const familyOf = async (tx: IdentityTx, actorId: string): Promise<readonly string[]> =>
  (await idsOfFamily(tx, actorId)).map(({ id }) => id)

const idsOfFamilies = statement<{ self: string; id: string }>(
  'select self, family.id from unnest($1::uuid[]) self, directory.family_of(self) family (id)',
)

/** The families of several actors, by actor. */
export async function familiesOf(
  tx: IdentityTx,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const families = new Map<string, string[]>(actorIds.map((id) => [id, []]))
  if (actorIds.length === 0) return families
  for (const { self, id } of await idsOfFamilies(tx, actorIds)) families.get(self)?.push(id)
  return families
}

const membershipsOf = statement<FamilyMembership>(`
  select m.*, c.suspended_by from directory.family_memberships($1) m join directory.centers c on c.id = m.center_id`)

/** All memberships of the actor's family, one per center. The only source of which centers an actor may enter. */
export const familyMemberships = (tx: IdentityTx, actorId: string): Promise<FamilyMembership[]> =>
  membershipsOf(tx, actorId)

/** Those of a session, which may be good for some centers only. */
export const membershipsWithin = async (
  tx: IdentityTx,
  actorId: string,
  confinement: Confinement,
): Promise<FamilyMembership[]> => admittedOf(confinement, await familyMemberships(tx, actorId))

/** The memberships that grant entry now. */
export const authorizedMemberships = async (
  tx: IdentityTx,
  actorId: string,
  confinement: Confinement,
): Promise<FamilyMembership[]> =>
  (await membershipsWithin(tx, actorId, confinement)).filter(
    (row) => row.status === 'ACTIVE' && row.center_status === 'ACTIVE',
  )

export interface SessionRow {
  readonly id: string
  readonly actor_id: string
  readonly center_id: number | null
  readonly expires_at: Date
  /** Also of a session whose provider or domain was removed, or whose person has deleted the account meanwhile. */
  readonly revoked_at: Date | null
  readonly provider_id: string | null
  readonly site_id: string | null
  readonly via: Via
  readonly signed_in_at: Date
  readonly stepped_up_at: Date | null
  readonly proved_at: Date | null
  readonly passkey_at: Date | null
  readonly passkey_counts_in: readonly number[]
  readonly provider: CenterOwner | null
  readonly site: (CenterOwner & { readonly host: string }) | null
  readonly email: string | null
  readonly phone: string | null
  readonly name: string
  readonly language: 'ko' | 'en' | null
  readonly actor_role: ActorRole
  readonly is_operator: boolean
  readonly partner: { readonly id: string; readonly role: PartnerRole } | null
  readonly membership: FamilyMembership | null
}

const sessionsById = statement<SessionRow>(`
  select s.id, s.actor_id, s.center_id, s.expires_at, s.provider_id, s.site_id,
    case when s.site_id is not null then 'domain' when s.provider_id is not null then 'oidc' else s.via end as via,
    s.signed_in_at, s.stepped_up_at, s.proved_at, s.passkey_at,
    array(select c.center_id from directory.passkey_deliveries c join directory.passkeys k on k.id = c.passkey_id
      where c.passkey_id = s.passkey_id and c.action = 'bound' and c.counts and k.removed_at is null) as passkey_counts_in,
    case when s.provider_id is not null and p.id is null
      or s.site_id is not null and (d.proven_at is null or d.proven_at > s.created_at) or a.erased_at is not null
      then coalesce(s.revoked_at, s.created_at) else s.revoked_at end as revoked_at,
    case when p.id is not null then json_build_object('centerId', p.center_id, 'partnerId', p.partner_id) end as provider,
    case when d.id is not null then json_build_object('centerId', d.center_id, 'partnerId', null, 'host', d.domain) end as site,
    a.email, a.phone, coalesce((select k.name from directory.memberships k
      where k.center_id = s.center_id and k.actor_id = a.id and k.accepted), a.name) as name, a.language, a.role as actor_role, a.is_operator,
    (select json_build_object('id', o.partner_id, 'role', o.role) from directory.partner_accounts o where o.actor_id = a.id) as partner,
    (select to_jsonb(m) || jsonb_build_object('suspended_by', c.suspended_by) from directory.family_memberships(a.id) m
      join directory.centers c on c.id = m.center_id where m.center_id = s.center_id) as membership
  from directory.sessions s join directory.actors a on a.id = s.actor_id
    left join directory.oidc_providers p on p.id = s.provider_id
    left join directory.domains d on d.id = s.site_id and d.purpose = 'site'
  where s.id = any ($1::uuid[])`)

/** Everything that requests need to know about their sessions. */
export const findSessions = (tx: IdentityTx, sessionIds: readonly string[]): Promise<SessionRow[]> =>
  sessionsById(tx, sessionIds)

export const confinementOf = ({ provider, site }: Pick<SessionRow, 'provider' | 'site'>): Confinement =>
  [provider, site].filter((owner) => owner !== null)

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
  readonly admin_passkeys: boolean
  readonly inherited: CenterProfile['inherited']
  readonly owner: string | null
  /** Null for a center without a subscription. */
  readonly plan_id: string | null
  readonly subscription: SubscriptionStatus | null
  readonly plan_name: string
  readonly webhooks: number
  readonly plan_features: readonly string[]
  readonly suspended_by: 'partner' | 'operator' | null
}

/** A key with its center. */
export interface KeyRow extends ProfileRow {
  readonly hash: Buffer
  readonly id: string
  readonly scopes: Scope[]
  readonly rate_limit: number | null
  readonly bound_to: { readonly id: string; readonly type: string } | null
  readonly keeps_webhooks: boolean
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  /** The other keys of its line of replacements. */
  readonly line: string[]
}

/** Of inherited policies the ids only: every process keeps the profiles of many centers. */
const profileColumns = `c.id as center_id, c.cell, c.name, c.vertical, c.settings, c.status, c.country, c.region, c.admin_passkeys,
  case when c.inherited_policies is not null then json_build_object('isFixed', c.inherited_policies->'isFixed',
    'ids', jsonb_path_query_array(c.inherited_policies, '$.policies[*].id'),
    'given', coalesce(c.inherited_policies #> '{copied,given}',
      jsonb_path_query_array(c.inherited_policies, '$.policies[*].id'))) end as inherited,
  coalesce(c.owner_id, (select o.owner_id from directory.centers o where o.id = c.sandbox_of)) as owner,
  s.plan_id, s.status as subscription, v.name as plan_name, v.webhooks, v.features as plan_features, c.suspended_by`
const subscribed = `left join directory.subscriptions s on s.center_id = c.id
    left join directory.plan_versions v on v.plan_id = s.plan_id and v.version = s.plan_version`

const keysByHash = statement<KeyRow>(`
  select k.hash, k.id, k.scopes, k.rate_limit, k.bound_to, k.keeps_webhooks, k.expires_at, k.revoked_at,
    array(select l.id from directory.api_keys l where l.center_id = k.center_id and l.id <> k.id
      and (l.id = k.first_key or l.first_key = coalesce(k.first_key, k.id))) as line,
    ${profileColumns}
  from directory.api_keys k join directory.centers c on c.id = k.center_id
    ${subscribed}
  where k.hash = any ($1::bytea[])`)

export const findKeys = (tx: IdentityTx, hashes: readonly Buffer[]): Promise<KeyRow[]> => keysByHash(tx, hashes)

const profilesById = statement<ProfileRow>(`
  select ${profileColumns} from directory.centers c ${subscribed}
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

/** Row-level security shows a partner only its own centers. */
export async function isPartnersCenter(tx: PartnerTx, centerId: number): Promise<boolean> {
  const { rows } = await sql`
    select from directory.partner_centers where partner_id = ${tx.partnerId} and center_id = ${centerId}`.execute(tx.db)
  return rows.length > 0
}
