/** A member as this and other features answer with it. */
import type { Member } from '@countersign/contract/members.ts'
import type { Static } from 'typebox'
import type { DirectoryTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { findMember, type MemberRow } from './queries.ts'

export type { MemberRow }

/** Before the person accepts an invitation, the id would tell whether they have an account. */
export const memberOf = (row: MemberRow): Static<typeof Member> => ({
  id: typedId('membership', row.id),
  centerId: row.center_id,
  centerName: row.center_name,
  centerDomain: row.center_domain,
  role: row.role,
  roles: [...row.roles],
  status: row.status,
  invitedAt: row.invited_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  actorId: row.accepted ? row.actor_id : null,
  name: row.name,
  email: row.address ?? '',
})

export const readMember = async (own: DirectoryTx, id: string): Promise<Static<typeof Member>> =>
  memberOf(await findMember(own, id))
