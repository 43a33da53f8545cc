import { sql } from 'kysely'
import { type DirectoryTx, type IdentityTx, ownerOf } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'

/** One that the owner has is the newest again. */
export async function storeLogo(tx: DirectoryTx, digest: Buffer, png: Buffer): Promise<void> {
  const { center_id, partner_id } = ownerOf(tx)
  await sql`
    insert into directory.logos (id, center_id, partner_id, digest, png, added_at)
    values (${newUuid()}, ${center_id}, ${partner_id}, ${digest}, ${png}, ${now()})
    on conflict on constraint logos_once do update set added_at = excluded.added_at`.execute(tx.db)
}

/** All but the newest and those that a setting of the owner, or of one of a partner's centers, names. */
export async function dropOldLogos(tx: DirectoryTx, kept: number, path: string): Promise<void> {
  const { center_id, partner_id } = ownerOf(tx)
  const owner = center_id === null ? sql`l.partner_id = ${partner_id}` : sql`l.center_id = ${center_id}`
  const address = sql`${path}::text || encode(l.digest, 'hex') || '.png'`
  const used =
    center_id === null
      ? sql`
        exists (select from directory.partners p
          where p.id = ${partner_id} and p.settings #>> '{newCenters,branding,logo}' = ${address})
        or exists (select from directory.centers c
          where c.partner_id = ${partner_id} and c.settings #>> '{branding,logo}' = ${address})`
      : sql`exists (select from directory.centers c
          where c.id = ${center_id} and c.settings #>> '{branding,logo}' = ${address})`
  await sql`
    delete from directory.logos l where ${owner} and not (${used})
      and l.id in (select l.id from directory.logos l where ${owner} order by l.added_at desc, l.id desc offset ${kept})`.execute(
    tx.db,
  )
}

export async function findLogo(tx: IdentityTx, digest: Buffer): Promise<Buffer | null> {
  const { rows } = await sql<{ png: Buffer }>`
    select png from directory.logos where digest = ${digest} limit 1`.execute(tx.db)
  return rows[0]?.png ?? null
}
