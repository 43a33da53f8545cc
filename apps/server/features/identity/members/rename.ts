/** An administrator corrects the name by which the center knows a member. What was sealed keeps the name of then. */
import type { Authenticator } from '../../../access/authenticate.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { requireMembership } from './api.ts'
import { nameLocked } from './naming.ts'
import { findMember, type MemberRow } from './queries.ts'

export async function renameMember(
  authenticate: Authenticator,
  tx: DirectoryTx,
  id: string | null,
  sent: string,
): Promise<MemberRow> {
  const locked = await requireMembership(tx, id)
  await nameLocked(authenticate, tx, locked, sent.trim())
  return findMember(tx, locked.id)
}
