import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type LockedMembership, setName } from './queries.ts'

export async function nameLocked(
  authenticate: Authenticator,
  tx: DirectoryTx,
  locked: LockedMembership,
  name: string,
): Promise<void> {
  if (name === locked.name) return
  if (!(await setName(tx, locked.id, name)))
    throw new Problem(
      'CONFLICT',
      "This person hasn't accepted the invitation yet. They confirm their name when they accept.",
      { details: { reason: 'notAccepted' } },
    )
  await audit(tx, {
    ...{ type: 'membership.transitioned', action: 'renamed' },
    target: { type: 'membership', id: typedId('membership', locked.id) },
    changes: [{ field: 'name', old: locked.name, new: name }],
  })
  tx.afterCommit(() => authenticate.forget(`center:${locked.center_id}`, `actor:${locked.actor_id}`))
}
