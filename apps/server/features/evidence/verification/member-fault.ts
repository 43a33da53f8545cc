/** Faults of an entry about a membership that may approve, as a message, or null. Pure. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { memberState } from '@countersign/proof/history-entry.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import type { EligibilityRow, NextStanding, RoleStanding } from '../../identity/eligibility/api.ts'
import type { NewestFacts } from './newest-queries.ts'

/** What an entry discloses. */
export interface DisclosedMember {
  readonly action: string
  readonly actorId: string
  readonly role: string
  readonly countsFrom: string | null
  /** Where the rest does not say all of it. A role without `since` is one that this entry gives or confirms. */
  readonly roles?: readonly NextStanding[]
  readonly makers: readonly string[]
  readonly change: number
  readonly by: { readonly id: string }
}

/** The newest entry about a membership explains its whole row; older ones have been replaced by it. */
export function memberFault(
  entry: EntryRow,
  state: unknown,
  said: DisclosedMember,
  { row, newest }: NewestFacts<EligibilityRow>,
): string | null {
  if (memberState(said) !== state) return "the entry's state doesn't match its values"
  if (newest !== entry.idx) return null
  if (!row) return "the entry's membership is missing"
  const agrees =
    row.since_index === entry.idx &&
    row.actor_id === said.actorId &&
    row.role === said.role &&
    row.active === (said.countsFrom !== null) &&
    timeOf(row.counts_from) === said.countsFrom &&
    canonical(row.standings as unknown as Json) === canonical(standingsIn(said, entry.idx) as unknown as Json) &&
    row.makers.join() === said.makers.join() &&
    row.change_id === said.change &&
    row.confirmed_by === (said.action === 'confirmed' ? said.by.id : null) &&
    timeOf(row.since_at) === entry.sealed_at &&
    row.last_entry === entry.hash
  return agrees ? null : "the entry's membership doesn't match what was sealed"
}

const standingsIn = ({ roles }: DisclosedMember, index: number): readonly RoleStanding[] | null =>
  roles?.map((each) => ({ since: index, ...each })) ?? null

const timeOf = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString())
