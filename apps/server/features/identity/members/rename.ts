/** An administrator corrects the name by which the center knows a member. What was sealed keeps the name of then. */
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { requireMembership } from './api.ts'
import { findMember, type MemberRow, setName } from './queries.ts'

export async function renameMember(
  authenticate: Authenticator,
  tx: DirectoryTx,
  id: string | null,
  sent: string,
): Promise<MemberRow> {
  const locked = await requireMembership(tx, id)
  const name = sent.trim()
  if (name !== locked.name) {
    if (!(await setName(tx, locked.id, name)))
      throw new Problem(
        'CONFLICT',
        "This person hasn't accepted the invitation yet. They confirm their name when they accept.",
      )
    await audit(tx, {
      ...{ type: 'membership.transitioned', action: 'renamed' },
      target: { type: 'membership', id: typedId('membership', locked.id) },
      changes: [{ field: 'name', old: locked.name, new: name }],
    })
    tx.afterCommit(() => authenticate.forget(`center:${locked.center_id}`, `actor:${locked.actor_id}`))
  }
  return findMember(tx, locked.id)
}
