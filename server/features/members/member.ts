/** A member as it is answered. Pure. */
import type { Member } from '@countersign/contract/members.ts'
import type { Static } from 'typebox'
import { typedId } from '../../lib/ids.ts'
import type { MemberRow } from './queries.ts'

export const memberOf = (row: MemberRow): Static<typeof Member> => ({
  id: typedId('membership', row.id),
  centerId: row.center_id,
  centerName: row.center_name,
  centerDomain: row.center_domain,
  role: row.role,
  status: row.status,
  invitedAt: row.invited_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  actorId: row.actor_id,
  name: row.name,
  email: row.email ?? '',
})
