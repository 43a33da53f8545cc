import type { searchCenters } from '@countersign/contract/centers.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import { findCenters } from './search-queries.ts'

export async function search(tx: IdentityTx, { query = '', vertical }: BodyOf<typeof searchCenters.spec>) {
  const rows = await findCenters(tx, query, vertical ?? null)
  return rows.map((row) => {
    const { branding } = completeSettings(row.vertical, row.settings)
    return {
      name: row.name,
      centerDomain: row.domain,
      vertical: row.vertical,
      tenantType: row.tenant_type,
      description: branding.description,
      logo: branding.logo,
    }
  })
}
