/** Whether somebody else could confirm what a policy lets people approve in an emergency. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { type Line, lineOf } from '@countersign/proof/line.ts'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { type Candidate, couldBeConfirmed, isUrgent } from '../../../governance/line.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { readGroups } from '../../identity/groups/api.ts'
import { candidatesOf } from './check-people.ts'
import { findApprovable } from './check-queries.ts'

interface PeopleNeeds {
  readonly cells: Cells
  readonly directory: Directory
}

/** Everybody who may approve by their role, with their groups; null for a policy without an emergency, which asks nobody. */
export async function peopleFor(
  { cells, directory }: PeopleNeeds,
  { approval }: { readonly approval?: PolicyBody['approval'] | null },
  { cell }: CenterProfile,
  caller: Caller,
): Promise<readonly Candidate[] | null> {
  if (!approval?.emergency) return null
  const { members } = await directory.asCenter(caller, findApprovable, 'read')
  const groups = await cells.of(cell).inTenant(caller, (tx) => readGroups(tx, now()), 'read')
  return candidatesOf(
    members.map((each) => ({ ...each, groupIds: (groups.get(each.actorId) ?? []).map(({ id }) => id) })),
  )
}

/** Those who could use it now, and of them those whom the others could not confirm. */
export function usersOf<Person extends Candidate>(line: Line, people: readonly Person[]) {
  const users = people.filter((person) => isUrgent(line, { person, level: 'session' }))
  return { users, alone: users.filter((user) => !couldBeConfirmed(line, user, people)) }
}

/** People come and go: it is enough that one of those who could use it today can be confirmed. */
export function requireConfirmable(body: PolicyBody, people: readonly Candidate[] | null): void {
  if (!people || !body.approval?.emergency) return
  const { users, alone } = usersOf(lineOf({ id: '', version: 1, body }), people)
  if (users.length === 0 || alone.length < users.length) return
  throw new Problem(
    'VALIDATION_ERROR',
    'Nobody else could confirm an emergency approval under this policy. Allow more people in its approval line, or others in "approval.emergency".',
    { details: { reason: 'nobodyConfirms', field: 'approval.emergency' } },
  )
}
