/** A group as sealed: a change is an entry of the chain `history`, the row of the group and an audit entry, in one commit. */

import { mostGroups } from '@countersign/contract/groups.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { groupState, historyStatic } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { appliedOf, groupIdsOf } from '../../../governance/policies.ts'
import { noteRules, requireUnaltered, standingRules } from '../../../governance/rules.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { makersOf } from '../eligibility/api.ts'
import { isWaiting } from './counting.ts'
import { type GroupPerson, type GroupRow, groupRows } from './sealed-rows.ts'

export interface Changing {
  readonly center: CenterProfile
  readonly caller: Caller
}

export interface Wanted {
  readonly name?: string | undefined
  /** Each once, by ID. */
  readonly actorIds?: readonly string[] | undefined
}

/** Whoever adds people, and what the directory says of those. */
export interface Adding {
  /** All accounts of whoever adds. */
  readonly makers: readonly string[]
  /** Those who may be added: ACTIVE members who may approve. */
  readonly mayJoin: ReadonlySet<string>
  /** From when somebody counts who is added at this time. */
  countsFrom(at: string): string
}

type Action = 'created' | 'updated' | 'confirmed' | 'ended'
/** A person without `since` is one whom this entry adds or confirms. */
type NextPerson = Omit<GroupPerson, 'since'> & { readonly since?: number }
interface Next {
  readonly name: string
  readonly people: readonly NextPerson[]
  readonly makers: readonly string[]
}

export const unknownGroupProblem = (): Problem =>
  new Problem('NOT_FOUND', 'This center has no group with this ID. List its groups to find the ID.')

export function standingGroup(batch: Batch, id: string | null): GroupRow {
  const row = batch.rows(groupRows).find(id ?? '')
  if (!row || row.ended) throw unknownGroupProblem()
  return row
}

/** The entry names everything that the row holds, so that the newest one explains it. */
function seal(
  batch: Batch,
  { center, caller }: Changing,
  { id, last_entry }: { readonly id: string; readonly last_entry: string | null },
  action: Action,
  { name, people, makers }: Next,
): GroupRow {
  requireUnaltered(batch, center)
  const [entryId, target] = [newUuid(), typedId('group', id)]
  const by = { id: caller.actorId as string }
  const disclosed: Record<string, Json> = { group: { name, people, makers } as unknown as Json, action, by }
  const prepared = historyStatic(
    { id: typedId('history', entryId), type: 'group', target, previous: last_entry, values: disclosed },
    (commitments) => groupState(commitments.group as string),
    newSalt,
  )
  const entry = batch.appendHistory(entryId, prepared, disclosed)
  const row: GroupRow = {
    ...{ center_id: center.centerId, id, name, makers, ended: action === 'ended' },
    people: people.map(({ actorId, countsFrom, since = entry.index }) => ({ actorId, countsFrom, since })),
    ...{ changed_index: entry.index, changed_at: entry.sealedAt, last_entry: entry.hash },
  }
  const rows = batch.rows(groupRows)
  if (last_entry === null) rows.insert(row)
  else rows.update(row)
  noteRules(batch, center, entry)
  auditInBatch(batch, caller, {
    type: 'policy.changed',
    action: `group_${action}`,
    target: { type: 'group', id: target },
    details: { name, people: people.length },
  })
  return row
}

/** Those who stay keep their time; everybody else begins now. */
function peopleAfter(
  batch: Batch,
  known: readonly GroupPerson[],
  actorIds: readonly string[],
  adding: Adding,
): readonly NextPerson[] {
  const countsFrom = adding.countsFrom(batch.at)
  return actorIds.map((actorId) => {
    const before = known.find((each) => each.actorId === actorId)
    if (before) return before
    if (adding.mayJoin.has(actorId)) return { actorId, countsFrom }
    throw new Problem(
      'VALIDATION_ERROR',
      `"${actorId}" isn't an ACTIVE member of this center who may approve. Send actor IDs of its ADMINs and INSTRUCTORs.`,
      { details: { reason: 'notApprover', field: 'members' } },
    )
  })
}

/** Whoever added one of the people who wait cannot confirm any of them. */
function makersAfter(batch: Batch, people: readonly NextPerson[], known: readonly string[], adding: Adding) {
  const waiting = people.filter((each) => isWaiting(each, batch.at))
  if (waiting.length === 0) return []
  const kept = waiting.some(({ since }) => since !== undefined) ? known : []
  const added = waiting.some(({ since }) => since === undefined) ? makersOf(batch, adding.makers) : []
  return [...new Set([...kept, ...added])].sort()
}

export function createGroup(
  batch: Batch,
  changing: Changing,
  id: string,
  { name, actorIds }: { readonly name: string; readonly actorIds: readonly string[] },
  adding: Adding,
): GroupRow {
  const standing = batch.rows(groupRows).all()
  if (standing.filter(({ ended }) => !ended).length >= mostGroups) {
    throw new Problem(
      'CONFLICT',
      `This center already has ${mostGroups} groups, the maximum. End one that you no longer need.`,
      { details: { reason: 'maxGroups' } },
    )
  }
  const people = peopleAfter(batch, [], actorIds, adding)
  const makers = makersAfter(batch, people, [], adding)
  return seal(batch, changing, { id, last_entry: null }, 'created', { name, people, makers })
}

/** A change that leaves the group as it is is not sealed. */
export function updateGroup(batch: Batch, changing: Changing, row: GroupRow, wanted: Wanted, adding: Adding): GroupRow {
  const name = wanted.name ?? row.name
  const people = wanted.actorIds ? peopleAfter(batch, row.people, wanted.actorIds, adding) : row.people
  const isSame =
    name === row.name &&
    people.length === row.people.length &&
    people.every((each, at) => each.actorId === row.people[at]?.actorId)
  if (isSame) return row
  const makers = makersAfter(batch, people, row.makers, adding)
  return seal(batch, changing, row, 'updated', { name, people, makers })
}

export function endGroup(batch: Batch, changing: Changing, row: GroupRow): GroupRow {
  const id = typedId('group', row.id)
  const naming = standingRules(batch, changing.center).map(appliedOf)
  const policy = naming.find(({ body }) => groupIdsOf(body).includes(id))
  if (policy) {
    throw new Problem(
      'CONFLICT',
      `The policy "${policy.body.name}" names this group, so it can't be ended. Change or delete the policy first.`,
      { details: { reason: 'inPolicy', policyId: policy.id } },
    )
  }
  return seal(batch, changing, row, 'ended', { name: row.name, people: [], makers: [] })
}

/** From the confirmation on these people count. */
export function confirmPeople(
  batch: Batch,
  changing: Changing,
  row: GroupRow,
  actorIds: readonly string[],
  person: readonly string[],
): GroupRow {
  const wanted = actorIds.map((actorId) => row.people.find((each) => each.actorId === actorId))
  if (wanted.includes(undefined)) {
    throw new Problem('CONFLICT', 'The people of this group have changed. Review the group again before you confirm.', {
      details: { reason: 'peopleChanged' },
    })
  }
  const waiting = row.people.filter((each) => wanted.includes(each) && isWaiting(each, batch.at))
  if (waiting.length === 0) return row
  if (isOwnMatter(row, batch.at, person)) {
    throw new Problem(
      'FORBIDDEN',
      "You can't confirm yourself or people you added to a group. Ask another administrator, or wait until they count.",
      { details: { reason: 'ownGroup' } },
    )
  }
  const people = row.people.map((each) =>
    waiting.includes(each) ? { actorId: each.actorId, countsFrom: batch.at } : each,
  )
  const makers = people.some((each) => isWaiting(each, batch.at)) ? row.makers : []
  return seal(batch, changing, row, 'confirmed', { name: row.name, people, makers })
}

/** Nobody confirms what concerns themselves or what they made, under any of their accounts. */
export const isOwnMatter = ({ people, makers }: GroupRow, at: string, person: readonly string[]): boolean =>
  person.some((id) => makers.includes(id) || people.some((each) => each.actorId === id && isWaiting(each, at)))
