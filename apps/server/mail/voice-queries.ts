import type { Vertical } from '@countersign/contract/enums.ts'
import { sql } from 'kysely'
import type { IdentityTx } from '../data/directory.ts'

export interface SpeakerRow {
  readonly name: string
  readonly vertical: Vertical
  readonly tenant_type: string
  readonly settings: unknown
  readonly partner_id: string | null
  readonly partner_name: string | null
  readonly partner_kind: 'white_label' | 'franchise' | null
  readonly partner_sender: unknown
  /** The custom domain, while it leads here with a certificate. */
  readonly site: string | null
  /** Proven email domains of the center and of its partner, and whether their SPF records let us send. */
  readonly domains: readonly { readonly domain: string; readonly isPartners: boolean; readonly sends: boolean }[]
  /** Addresses that ACTIVE administrators sign in with, of those that the settings name. */
  readonly admins: readonly string[]
}

export async function findSpeaker(tx: IdentityTx, centerId: number): Promise<SpeakerRow | undefined> {
  const { rows } = await sql<SpeakerRow>`
    select c.name, c.vertical, c.tenant_type, c.settings, c.partner_id, p.name as partner_name, p.kind as partner_kind,
      p.settings->'sender' as partner_sender,
      (select d.domain from directory.domains d where d.center_id = c.id and d.purpose = 'site'
        and d.works_since is not null and d.domain = c.custom_domain) as site,
      coalesce((select jsonb_agg(jsonb_build_object('domain', d.domain, 'isPartners', d.partner_id is not null,
          'sends', d.works_since is not null))
        from directory.domains d where d.purpose = 'email' and d.proven_at is not null
          and (d.center_id = c.id or d.partner_id = c.partner_id)), '[]') as domains,
      coalesce((select jsonb_agg(lower(a.email)) from directory.memberships m join directory.actors a on a.id = m.actor_id
        where m.center_id = c.id and m.status = 'ACTIVE' and 'ADMIN' = any (m.roles)
          and lower(a.email) = lower(c.settings #>> '{sender,replyTo}')), '[]') as admins
    from directory.centers c left join directory.partners p on p.id = c.partner_id
    where c.id = ${centerId}`.execute(tx.db)
  return rows[0]
}

export interface BelongingRow {
  readonly center_id: number
  readonly partner_id: string | null
  readonly isWhiteLabel: boolean
}

/**
 * Where a person belongs. Empty for whoever acts for a partner or the operator: their account is more than a center's.
 * By address or phone number, as people sign in, or by id.
 */
export async function belongingOf(
  tx: IdentityTx,
  who: { readonly identifier: string } | { readonly actorId: string },
): Promise<readonly BelongingRow[]> {
  const actor =
    'actorId' in who
      ? sql`${who.actorId}::uuid`
      : sql`(select l.actor_id from directory.login_identifiers l where l.identifier = ${who.identifier})`
  const { rows } = await sql<BelongingRow>`
    select m.center_id, c.partner_id,
      (c.tenant_type = 'WHITE_LABEL' or coalesce(p.kind = 'white_label', false)) as "isWhiteLabel"
    from directory.memberships m
    join directory.actors a on a.id = m.actor_id and not a.is_operator
    join directory.centers c on c.id = m.center_id
    left join directory.partners p on p.id = c.partner_id
    where m.actor_id = ${actor} and m.status in ('ACTIVE', 'PENDING', 'SUSPENDED')
      and not exists (select from directory.partner_accounts t where t.actor_id = m.actor_id)
    order by m.center_id limit 100`.execute(tx.db)
  return rows
}
