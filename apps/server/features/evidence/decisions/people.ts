/** The members of a center who may approve, as lines count them: accounts of one person, and deputies, are one. */
import { familiesOf } from '../../../access/queries.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { Candidate } from '../../../governance/line.ts'
import { now } from '../../../lib/clock.ts'
import { comparableId } from '../../../lib/comparable-id.ts'
import { type ApproverRow, approvingMembers } from './queries.ts'
import { deputiesNow } from './waiting-queries.ts'

type Deputies = readonly { readonly actor_id: string; readonly deputy_id: string }[]

/** `inTenant`: how to read in the cell of the center. */
export async function peopleOf(
  directory: Directory,
  caller: Caller,
  inTenant: <T>(read: (tx: TenantTx) => Promise<T>) => Promise<T>,
): Promise<readonly Candidate[]> {
  const [members, deputies] = await Promise.all([
    directory.asCenter(caller, (tx) => approvingMembers(tx), 'read'),
    inTenant((tx) => deputiesNow(tx, now())),
  ])
  const ids = members.map(({ actor_id }) => actor_id)
  const families = await directory.identity(caller, (tx) => familiesOf(tx, ids), 'read')
  return candidatesOf(members, deputies, families)
}

export function candidatesOf(
  members: readonly Pick<ApproverRow, 'actor_id' | 'role'>[],
  deputies: Deputies,
  families: ReadonlyMap<string, readonly string[]>,
): readonly Candidate[] {
  return members.map(({ actor_id: actorId, role }) => {
    const together = deputies.flatMap(({ actor_id, deputy_id }) =>
      actor_id === actorId ? [deputy_id] : deputy_id === actorId ? [actor_id] : [],
    )
    const ids = [actorId, ...(families.get(actorId) ?? []), ...together]
    return { actorId, role, ids: new Set(ids.map(comparableId)) }
  })
}
