/** Who can confirm a passkey in a center, and what the directory knows of its confirmation. */
import { sql } from 'kysely'
import type { IdentityTx } from '../../../data/directory.ts'

const mostAdmins = 100
const mostOthers = 20

interface Person {
  readonly name: string
  readonly email: string | null
}

/** Of one member in one center. All accounts of the member are left out everywhere. */
export interface Around {
  readonly center: string
  readonly domain: string
  readonly name: string
  readonly email: string | null
  /** Null: no ACTIVE member. */
  readonly role: string | null
  readonly admins: readonly Person[]
  /** Null where the center has no partner, or its partner no other PARTNER_ADMIN. */
  readonly partner: { readonly name: string; readonly emails: readonly (string | null)[] } | null
  readonly operators: readonly (string | null)[]
}

export async function aroundMember(tx: IdentityTx, centerId: number, actorId: string): Promise<Around | undefined> {
  const { rows } = await sql<Around>`
    with own as (select directory.family_of(${actorId}::uuid) as id)
    select c.name as center, c.domain, coalesce((select k.name from directory.memberships k
        where k.center_id = c.id and k.actor_id = p.id and k.accepted), p.name) as name, p.email,
      (select m.role from directory.memberships m
        where m.center_id = c.id and m.actor_id = p.id and m.status = 'ACTIVE') as role,
      coalesce((select json_agg(a) from (
        select o.name, a.email from directory.memberships o join directory.actors a on a.id = o.actor_id
        where o.center_id = c.id and o.role = 'ADMIN' and o.status = 'ACTIVE' and o.actor_id not in (select id from own)
        order by o.invited_at, o.id limit ${mostAdmins}) a), '[]') as admins,
      (select json_build_object('name', r.name, 'emails', x.emails) from directory.partners r cross join lateral (
        select json_agg(email) as emails from (
          select a.email from directory.partner_accounts o join directory.actors a on a.id = o.actor_id
          where o.partner_id = r.id and o.role = 'PARTNER_ADMIN' and a.id not in (select id from own)
          order by a.id limit ${mostOthers}) a) x
        where r.id = c.partner_id and x.emails is not null) as partner,
      array(select a.email from directory.actors a where a.is_operator and a.id not in (select id from own)
        order by a.id limit ${mostOthers}) as operators
    from directory.centers c, directory.actors p where c.id = ${centerId} and p.id = ${actorId}::uuid`.execute(tx.db)
  return rows[0]
}

/** The keys of sole ADMINs that wait, as the directory knows them. */
export interface SoleAdminKey {
  readonly center_id: number
  readonly center_name: string
  readonly center_domain: string
  readonly cell: string
  readonly id: string
  readonly actor_id: string
  readonly name: string
  readonly email: string | null
  /** The partner that can confirm it; null: the operator. */
  readonly partner_name: string | null
}

/** The oldest first. Nobody is shown a key of their own. `partnerId`: of its centers only, and of those that it can confirm. */
export async function soleAdminKeys(
  tx: IdentityTx,
  { viewer, partnerId, most }: { readonly viewer: string; readonly partnerId: string | null; readonly most: number },
): Promise<readonly SoleAdminKey[]> {
  const { rows } = await sql<SoleAdminKey>`
    select d.center_id, c.name as center_name, c.domain as center_domain, c.cell, p.id, p.actor_id, m.name, a.email,
      (select r.name from directory.partners r where r.id = c.partner_id and exists (
        select from directory.partner_accounts o where o.partner_id = r.id and o.role = 'PARTNER_ADMIN'
          and o.actor_id <> all (family.ids))) as partner_name
    from directory.passkey_deliveries d
      join directory.passkeys p on p.id = d.passkey_id and p.removed_at is null
      join directory.memberships m on m.center_id = d.center_id and m.actor_id = p.actor_id
        and m.role = 'ADMIN' and m.status = 'ACTIVE'
      join directory.centers c on c.id = d.center_id and c.status = 'ACTIVE' and not c.sandbox
      join directory.actors a on a.id = p.actor_id
      cross join lateral (select array(select directory.family_of(p.actor_id)) as ids) family
    where d.action = 'bound' and d.delivered_at is not null and not d.counts
      and (${partnerId}::uuid is null or c.partner_id = ${partnerId}::uuid)
      and ${viewer}::uuid <> all (family.ids)
      and not exists (select from directory.memberships o
        where o.center_id = d.center_id and o.role = 'ADMIN' and o.status = 'ACTIVE' and o.actor_id <> all (family.ids))
    order by d.delivered_at, p.id limit ${most}`.execute(tx.db)
  return rows
}

/** Returns the keys of which the directory did not know it. */
export async function noteCounting(
  tx: IdentityTx,
  keys: readonly { readonly center_id: number; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ passkey_id: string }>`
    update directory.passkey_deliveries d set counts = true
    from unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ center_id }) => center_id)}::integer[]) as k (id, center_id)
    where d.passkey_id = k.id and d.center_id = k.center_id and d.action = 'bound' and not d.counts
    returning d.passkey_id`.execute(tx.db)
  return new Set(rows.map(({ passkey_id }) => passkey_id))
}
