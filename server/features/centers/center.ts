/** A center as it is answered. Pure. */
import type { Center } from '@countersign/contract/centers.ts'
import type { Static } from 'typebox'
import { completeSettings } from '../../verticals/defaults.ts'
import type { CenterRow } from './queries.ts'

export const centerOf = (row: CenterRow): Static<typeof Center> => ({
  id: row.id,
  name: row.name,
  centerDomain: row.domain,
  tenantType: row.tenant_type,
  status: row.status,
  vertical: row.vertical,
  memberCount: row.member_count,
  settings: completeSettings(row.vertical, row.settings),
})
