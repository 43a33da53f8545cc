/** What a center seals about a membership that may approve. An entry and the row of the membership are one commit. */

import type { Json } from '@countersign/proof/canonical.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { historyStatic, memberState } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { noteRules, requireUnaltered } from '../../../governance/rules.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { RowKind } from '../../../sealing/sealed-rows.ts'
import { hasBegun, isPlain, isSame, type NextStanding, type RoleStanding, standingsOf } from './standings.ts'

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
  /** Null where it has one role at most and the columns say all of it. */
  readonly standings: readonly RoleStanding[] | null
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
  /** The roles by which the member may approve after it, the highest first. */
  readonly roles: readonly string[]
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

type Values = Pick<EligibilityRow, 'actor_id' | 'role' | 'counts_from' | 'makers' | 'change_id'> & {
  readonly action: MemberChange['action'] | 'confirmed'
  readonly status: string
  readonly by: string
  readonly roles?: readonly NextStanding[]
}

/** The entry names everything that the row holds, so that the newest one explains it. */
function append(batch: Batch, { center, caller }: Sealing, id: string, previous: string | null, values: Values) {
  requireUnaltered(batch, center)
  const { action, actor_id: actorId, role, roles, status, counts_from, makers, change_id: change, by } = values
  const disclosed: Record<string, Json> = {
    ...{ action, actorId, role, status, countsFrom: counts_from, makers, change, by: { id: by } },
    ...(roles && { roles: roles as unknown as Json }),
  }
  const entryId = newUuid()
  const target = typedId('membership', id)
  const prepared = historyStatic(
    { id: typedId('history', entryId), type: 'member', target, previous, values: disclosed },
    () => memberState({ role, countsFrom: counts_from, ...(roles && { roles }) }),
    newSalt,
  )
  const entry = batch.appendHistory(entryId, prepared, disclosed)
  noteRules(batch, center, entry)
  auditInBatch(batch, caller, {
    type: 'settings.updated',
    action: `eligibility.${action}`,
    target: { type: 'membership', id: target },
    details: {
      ...{ actorId, role },
      ...(counts_from !== null && { countsFrom: counts_from }),
      ...(roles && { roles: roles.map((each) => each.role).join(', ') }),
    },
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
    .filter((row) => makers.includes(row.actor_id))
    .flatMap((row): readonly Pick<RoleStanding, 'makers'>[] =>
      row.active ? standingsOf(row).filter((each) => !hasBegun(each, batch.at)) : [row],
    )
  return [...new Set([...makers, ...behind.flatMap((each) => each.makers)])].sort()
}

/** The roles that the change gave, and from when they count; null where it gave none. */
export interface Entered {
  readonly roles: readonly string[]
  readonly countsFrom: string
}

/** A repeated call changes nothing. */
export function enter(
  batch: Batch,
  sealing: Sealing,
  change: MemberChange,
  eligibilitySeconds: number,
): Entered | null {
  const rows = batch.rows(eligibilityRows)
  const known = rows.find(change.membership_id)
  if (known && known.change_id >= change.id) return enteredBefore(known, change, batch.at)
  const before = known ? standingsOf(known) : []
  // Entered once more for a request that had read older roles: nothing has changed, and no time begins again.
  if (change.action === 'admitted' && known?.active && isSame(before, change.roles)) return null
  const { centerId } = sealing.center
  const from = { centerId, createdAt: change.center_created_at, at: Date.parse(batch.at) }
  const makers = makersOf(batch, change.makers)
  const countsAt = countsFrom(from, change.action, eligibilitySeconds)
  const next = change.roles.map(
    (role): NextStanding =>
      before.find((each) => each.role === role) ?? { role, countsFrom: countsAt, makers, confirmedBy: null },
  )
  const row = {
    ...{ center_id: centerId, id: change.membership_id, actor_id: change.actor_id, change_id: change.id },
    ...{ role: next[0]?.role ?? change.role, active: next.length > 0, makers, confirmed_by: null },
  }
  const by = change.made_by ?? 'countersign'
  const sealed = leave(batch, sealing, known, row, next, { action: change.action, status: change.status, by })
  if (known) rows.update(sealed)
  else rows.insert(sealed)
  const given = next.filter(({ since }) => since === undefined).map(({ role }) => role)
  return given.length > 0 ? { roles: given, countsFrom: countsAt } : null
}

function enteredBefore(known: EligibilityRow, { roles }: MemberChange, at: string): Entered | null {
  const [first, ...others] = standingsOf(known).filter((each) => roles.includes(each.role) && !hasBegun(each, at))
  if (!first) return roles.length > 0 ? { roles, countsFrom: at } : null
  return { roles: [first, ...others].map(({ role }) => role), countsFrom: first.countsFrom }
}

/** The entry, and the row as it leaves it. */
function leave(
  batch: Batch,
  sealing: Sealing,
  known: EligibilityRow | undefined,
  row: Omit<EligibilityRow, 'counts_from' | 'standings' | 'since_index' | 'since_at' | 'last_entry'>,
  next: readonly NextStanding[],
  values: Pick<Values, 'action' | 'status' | 'by'>,
): EligibilityRow {
  const isShown = !isPlain(next)
  const stated = { ...row, counts_from: next[0]?.countsFrom ?? null }
  const entry = append(batch, sealing, row.id, known?.last_entry ?? null, {
    ...{ ...stated, ...values },
    ...(isShown && { roles: next }),
  })
  const standings = isShown ? next.map((each) => ({ ...each, since: each.since ?? entry.index })) : null
  return { ...stated, standings, since_index: entry.index, since_at: entry.sealedAt, last_entry: entry.hash }
}

/** These roles count from the confirmation on. */
export function confirm(
  batch: Batch,
  sealing: Sealing,
  known: EligibilityRow,
  roles: readonly string[],
  by: string,
): EligibilityRow {
  const next = standingsOf(known).map(
    (each): NextStanding =>
      roles.includes(each.role)
        ? { role: each.role, countsFrom: batch.at, makers: each.makers, confirmedBy: by }
        : each,
  )
  const makers = isPlain(next) ? (next[0]?.makers ?? known.makers) : known.makers
  const row = { ...known, makers, confirmed_by: by }
  const changed = leave(batch, sealing, known, row, next, { action: 'confirmed', status: 'ACTIVE', by })
  batch.rows(eligibilityRows).update(changed)
  return changed
}
