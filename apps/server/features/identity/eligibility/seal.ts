/** What a center seals about a membership that may approve. An entry and the row of the membership are one commit. */

import type { Json } from '@countersign/proof/canonical.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { historyStatic, memberState } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { noteRules, requireUnaltered } from '../../../governance/rules.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'

/** Eligibilities in a batch: those that items name by membership, or all of a person. */
export interface EligibilityRow {
  readonly center_id: number
  /** The membership. */
  readonly id: string
  readonly actor_id: string
  readonly role: string
  readonly active: boolean
  /** Everybody who cannot confirm it, beside its person. */
  readonly makers: readonly string[]
  /** The newest entry about it. */
  readonly since_index: number
  readonly since_at: string
  /** Null while it is not active. */
  readonly counts_from: string | null
  readonly confirmed_by: string | null
  /** The change of the directory that it is from. */
  readonly change_id: number
  readonly last_entry: string
}

export const eligibilityRows: RowKind<EligibilityRow, { readonly id: string } | { readonly actor_id: string }> = {
  name: 'eligibilities',
  order: 46,
  load: 'load_eligibilities',
  write: 'write_eligibilities',
  namesOf: ({ id }) => [id],
}

/** A change as the directory knows it. */
export interface MemberChange {
  readonly id: number
  readonly membership_id: string
  readonly actor_id: string
  readonly action: 'admitted' | 'role' | 'removed' | 'existing'
  readonly role: string
  readonly status: string
  readonly made_by: string | null
  /** All accounts of whoever made it. */
  readonly makers: readonly string[]
  readonly center_created_at: Date
}

interface Sealing {
  readonly center: CenterProfile
  readonly caller: Caller
}

const dayMs = 86_400_000

/** In a sandbox, on the first day of a center, and for what was there before this rule, there is no wait. */
export function countsFrom(
  { centerId, createdAt, at }: { centerId: number; createdAt: Date; at: number },
  action: MemberChange['action'],
  eligibilitySeconds: number,
): string {
  const isNew = at < createdAt.getTime() + dayMs
  const waits = action !== 'existing' && !isNew && !isSandboxCenter(centerId)
  return new Date(at + (waits ? eligibilitySeconds * 1000 : 0)).toISOString()
}

export const counts = ({ active, counts_from }: EligibilityRow, at: string): boolean =>
  active && counts_from !== null && Date.parse(counts_from) <= Date.parse(at)

type Values = Pick<EligibilityRow, 'actor_id' | 'role' | 'counts_from' | 'makers' | 'change_id'> & {
  readonly action: MemberChange['action'] | 'confirmed'
  readonly status: string
  readonly by: string
}

/** The entry names everything that the row holds, so that the newest one explains it. */
function append(batch: Batch, { center, caller }: Sealing, id: string, previous: string | null, values: Values) {
  requireUnaltered(batch, center)
  const { action, actor_id: actorId, role, status, counts_from, makers, change_id: change, by } = values
  const disclosed: Record<string, Json> = {
    ...{ action, actorId, role, status, countsFrom: counts_from, makers, change, by: { id: by } },
  }
  const entryId = newUuid()
  const target = typedId('membership', id)
  const prepared = historyStatic(
    { id: typedId('history', entryId), type: 'member', target, previous, values: disclosed },
    () => memberState({ role, countsFrom: counts_from }),
    newSalt,
  )
  const entry = batch.appendHistory(entryId, prepared, disclosed)
  noteRules(batch, center, entry)
  auditInBatch(batch, caller, {
    type: 'settings.updated',
    action: `eligibility.${action}`,
    target: { type: 'membership', id: target },
    details: { actorId, role, ...(counts_from !== null && { countsFrom: counts_from }) },
  })
  return entry
}

/**
 * Whoever does not count yet is no other person than those who made them: else one ADMIN with three mailboxes would have the
 * second one invite the third, and confirm that.
 */
export function makersOf(batch: Batch, makers: readonly string[]): readonly string[] {
  const behind = batch
    .rows(eligibilityRows)
    .all()
    .filter((row) => makers.includes(row.actor_id) && !counts(row, batch.at))
  return [...new Set([...makers, ...behind.flatMap((row) => row.makers)])].sort()
}

/** Returns from when the change counts, or null where it ends a right. A repeated call changes nothing. */
export function enter(batch: Batch, sealing: Sealing, change: MemberChange, eligibilitySeconds: number): string | null {
  const rows = batch.rows(eligibilityRows)
  const known = rows.find(change.membership_id)
  if (known && known.change_id >= change.id) return known.counts_from
  // Entered once more for a request that had read an older role: nothing has changed, and no time begins again.
  if (change.action === 'admitted' && known?.active && known.role === change.role) return known.counts_from
  const { centerId } = sealing.center
  const active = change.action !== 'removed'
  const from = { centerId, createdAt: change.center_created_at, at: Date.parse(batch.at) }
  const counts_from = active ? countsFrom(from, change.action, eligibilitySeconds) : null
  const { actor_id, role } = change
  const state = { actor_id, role, counts_from, makers: makersOf(batch, change.makers), change_id: change.id }
  const entry = append(batch, sealing, change.membership_id, known?.last_entry ?? null, {
    ...{ ...state, action: change.action, status: change.status, by: change.made_by ?? 'countersign' },
  })
  const row = { ...state, center_id: centerId, id: change.membership_id, active, confirmed_by: null, ...stamp(entry) }
  if (known) rows.update(row)
  else rows.insert(row)
  return counts_from
}

const stamp = ({ index, hash, sealedAt }: { index: number; hash: string; sealedAt: string }) => ({
  since_index: index,
  since_at: sealedAt,
  last_entry: hash,
})

/** It counts from the confirmation on. */
export function confirm(batch: Batch, sealing: Sealing, row: EligibilityRow, by: string): EligibilityRow {
  const state = { ...row, counts_from: batch.at, confirmed_by: by }
  const values = { ...state, action: 'confirmed', status: 'ACTIVE', by } as const
  const changed = { ...state, ...stamp(append(batch, sealing, row.id, row.last_entry, values)) }
  batch.rows(eligibilityRows).update(changed)
  return changed
}

/** Whether a member's right to approve counts yet, for items that are judged by it. Pure. */
/** A member as the directory says. */
interface Named {
  readonly membershipId: string
  readonly role: string
}

/** The center has not sealed the membership as the directory has it. Whoever approves brings it there and judges again. */
export class EligibilityBehind extends Problem {
  readonly membershipId: string
  constructor(membershipId: string) {
    super(
      'CONFLICT',
      'Your role in this center just changed, and the change is still being recorded. Try again in a moment.',
      {
        details: { reason: 'eligibility', countsFrom: null },
        retryAfter: 2,
        passing: true,
      },
    )
    this.membershipId = membershipId
  }
}

export const needsOfMembers = (people: readonly Pick<Named, 'membershipId'>[]): readonly Need[] =>
  people.map(({ membershipId }) => need(eligibilityRows, { id: membershipId }))

/** Returns the index of the entry by which the first of these people is admitted. All of them must count. */
export function admitted(batch: Batch, people: readonly [Named, ...Named[]]): number {
  const [first] = people.map(({ membershipId, role }) => {
    const row = batch.rows(eligibilityRows).find(membershipId)
    if (!row?.active || row.role !== role) throw new EligibilityBehind(membershipId)
    if (!counts(row, batch.at)) throw notYet(row.counts_from as string)
    return row.since_index
  })
  return first as number
}

const notYet = (from: string): Problem => {
  const countsFrom = new Date(from).toISOString()
  return new Problem(
    'CONFLICT',
    `Your role in this center is new, so your approvals don't count until ${countsFrom}. To have them count sooner, ask another administrator to confirm your role.`,
    { details: { reason: 'eligibility', countsFrom }, passing: true },
  )
}
