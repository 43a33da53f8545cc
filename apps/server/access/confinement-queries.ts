/** What confines a session that begins: the custom domain that it begins on, and the provider that it begins with. */
import { sql } from 'kysely'
import type { IdentityTx } from '../data/directory.ts'
import type { CenterOwner } from './confinement.ts'

export interface Site {
  readonly id: string
  readonly domain: string
  readonly center_id: number
  readonly center_domain: string
}

/** Custom domains that count: proven, and named by the settings of the center. */
const sites = (tx: IdentityTx) =>
  tx.db
    .selectFrom('domains as d')
    .innerJoin('centers as c', 'c.id', 'd.center_id')
    .select(['d.id', 'd.domain', 'c.id as center_id', 'c.domain as center_domain'])
    .where('d.purpose', '=', 'site')
    .where('d.proven_at', 'is not', null)
    .where(sql<boolean>`c.custom_domain = d.domain`)

export const siteOfHost = (tx: IdentityTx, host: string): Promise<Site | undefined> =>
  sites(tx).where('d.domain', '=', host.toLowerCase().replace(/\.$/, '')).executeTakeFirst()

export const siteById = (tx: IdentityTx, id: string): Promise<Site | undefined> =>
  sites(tx).where('d.id', '=', id).executeTakeFirst()

export const ownerOfProvider = (tx: IdentityTx, id: string): Promise<CenterOwner | undefined> =>
  tx.db
    .selectFrom('oidc_providers')
    .select(['center_id as centerId', 'partner_id as partnerId'])
    .where('id', '=', id)
    .executeTakeFirst()
