/** A membership as it is answered. Pure. */
import type { Membership } from '@countersign/contract/auth.ts'
import type { Static } from 'typebox'
import type { FamilyMembership } from '../../../access/queries.ts'
import { typedId } from '../../../lib/ids.ts'

export const membershipOf = (row: FamilyMembership): Static<typeof Membership> => ({
  id: typedId('membership', row.membership_id),
  centerId: row.center_id,
  centerName: row.center_name,
  centerDomain: row.center_domain,
  role: row.role,
  roles: [...row.roles],
  status: row.status,
  invitedAt: new Date(row.invited_at).toISOString(),
  endedAt: row.ended_at && new Date(row.ended_at).toISOString(),
})
