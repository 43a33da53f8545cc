/** Which groups count for which people. Pure. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { groupIdsOf } from '../../../governance/policies.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type GroupRow, groupRows } from './sealed-rows.ts'

/** A group that counts for a person, by its typed ID, and the index in `history` of the entry by which it does. */
interface CountingGroup {
  readonly id: string
  readonly since: number
}

/** By actor ID. Whether the person is an ACTIVE ADMIN or INSTRUCTOR is for the directory to say. */
export type GroupsByPerson = ReadonlyMap<string, readonly CountingGroup[]>

export const isWaiting = ({ countsFrom }: { readonly countsFrom: string }, at: string): boolean =>
  Date.parse(countsFrom) > Date.parse(at)

export function countingAt(groups: readonly Pick<GroupRow, 'id' | 'people' | 'ended'>[], at: string): GroupsByPerson {
  const found = new Map<string, CountingGroup[]>()
  for (const { id, people, ended } of groups) {
    if (ended) continue
    const group = typedId('group', id)
    for (const person of people) {
      if (isWaiting(person, at)) continue
      const known = found.get(person.actorId)
      if (known) known.push({ id: group, since: person.since })
      else found.set(person.actorId, [{ id: group, since: person.since }])
    }
  }
  return found
}

/** The groups that count at the time of the batch, which needs `needGroups`. */
export const groupsOf = (batch: Batch): GroupsByPerson => countingAt(batch.rows(groupRows).all(), batch.at)

/** Those that have not ended. */
export const groupsIn = (batch: Batch): readonly GroupRow[] =>
  batch
    .rows(groupRows)
    .all()
    .filter(({ ended }) => !ended)

/** Whether every group that a policy of the center names stands; the first that does not. */
export function unknownGroup(batch: Batch, policy: Pick<PolicyBody, 'approval'>): string | undefined {
  const rows = batch.rows(groupRows)
  return groupIdsOf(policy).find((id) => {
    const row = rows.find(uuidOf('group', id) ?? '')
    return row === undefined || row.ended
  })
}

export function requireKnownGroups(batch: Batch, policy: Pick<PolicyBody, 'approval'>): void {
  const group = unknownGroup(batch, policy)
  if (group === undefined) return
  throw new Problem(
    'VALIDATION_ERROR',
    `This center has no group with the ID "${group}". List its groups to find the ID; a group that was ended can't be named.`,
    { details: { reason: 'groupGone' } },
  )
}
