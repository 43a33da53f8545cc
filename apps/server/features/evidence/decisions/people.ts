/** The members of a center who may approve, as lines count them: accounts of one person, and deputies, are one. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { familiesOf } from '../../../access/queries.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Candidate } from '../../../governance/line.ts'
import { now } from '../../../lib/clock.ts'
import { countingMembers } from '../../identity/eligibility/api.ts'
import { type GroupsByPerson, readGroups } from '../../identity/groups/api.ts'
import type { InformedMember } from '../decision-events/api.ts'
import { type ApproverRow, approvingMembers } from './queries.ts'
import { deputiesNow } from './waiting-queries.ts'

type Deputies = readonly { readonly actor_id: string; readonly deputy_id: string }[]

/** The signed-in member, as policies name whom they inform. */
export async function informedMember(
  tx: TenantTx,
  { actorId, entered: { roles } }: MemberPrincipal,
): Promise<InformedMember> {
  const groups = await readGroups(tx, now())
  return { actorId, roles, groupIds: (groups.get(actorId) ?? []).map(({ id }) => id) }
}

export interface Staff {
  readonly members: readonly ApproverRow[]
  readonly deputies: Deputies
  readonly candidates: readonly Candidate[]
}

/** Everybody who may approve by their role now; only these people where `among` is given. */
export async function staffNow(directory: Directory, tx: TenantTx, among?: readonly string[]): Promise<Staff> {
  if (among?.length === 0) return { members: [], deputies: [], candidates: [] }
  // The id of an API key is none of an actor.
  const caller = { ...tx.caller, actorId: null }
  const members = await directory.asCenter(caller, (own) => approvingMembers(own, among), 'read')
  const ids = members.map(({ actor_id }) => actor_id)
  const families = await directory.identity(caller, (own) => familiesOf(own, ids), 'read')
  const deputies = await deputiesNow(tx, now())
  const groups = await readGroups(tx, now())
  const counting = await countingMembers(tx, now(), ids)
  return { members, deputies, candidates: candidatesOf(members, deputies, families, groups, counting) }
}

/** A role that was lost and given again is new: what its person approved before counts again when the role does. */
export const countingOf = (roles: readonly ActorRole[], counting: readonly string[]): readonly ActorRole[] =>
  roles.filter((role) => counting.includes(role))

export function candidatesOf(
  members: readonly Pick<ApproverRow, 'actor_id' | 'roles'>[],
  deputies: Deputies,
  families: ReadonlyMap<string, readonly string[]>,
  groups: GroupsByPerson = new Map(),
  counting?: ReadonlyMap<string, readonly string[]>,
): readonly Candidate[] {
  return members.map(({ actor_id: actorId, roles }) => {
    const together = deputies.flatMap(({ actor_id, deputy_id }) =>
      actor_id === actorId ? [deputy_id] : deputy_id === actorId ? [actor_id] : [],
    )
    const accounts = [actorId, ...(families.get(actorId) ?? [])].map(comparableId)
    const own = groups.get(actorId) ?? []
    const counted = counting?.get(actorId)
    return {
      actorId,
      roles,
      // Without an entry until the change is sealed; an approval waits for that, a list doesn't.
      ...(counted && { counting: countingOf(roles, counted) }),
      groupIds: own.map(({ id }) => id),
      groupSince: new Map(own.map(({ id, since }) => [id, since])),
      accounts: new Set(accounts),
      ids: new Set([...accounts, ...together.map(comparableId)]),
    }
  })
}
