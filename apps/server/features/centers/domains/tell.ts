/** Tells a center's administrators when one of its domains begins to work, stops, or is about to. */
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { noteCause } from '../../../mail/causes.ts'
import type { DomainRow } from './queries.ts'
import type { Change } from './works.ts'

/** A partner sees its domains in its settings: causes concern a center or an account. */
export async function tellOfDomain(tx: DirectoryTx | IdentityTx, row: DomainRow, change: Change): Promise<void> {
  const { id, center_id, domain, checked_at, found, works_since } = row
  if (center_id === null) return
  const note = (event: 'domainLive' | 'domainStopped' | 'domainExpiring', once: string, facts: { at?: string } = {}) =>
    noteCause(tx, center_id, { id: `${event} ${id} ${once}`, event, facts: { ...facts, of: { domain } } })
  if (change === 'live') await note('domainLive', String(works_since?.toISOString()))
  if (change === 'stopped') await note('domainStopped', String(checked_at?.toISOString()))
  const certificate = found?.site?.certificate
  if (works_since !== null && certificate?.state === 'expiring' && certificate.validUntil !== null) {
    await note('domainExpiring', certificate.validUntil, { at: certificate.validUntil })
  }
}
