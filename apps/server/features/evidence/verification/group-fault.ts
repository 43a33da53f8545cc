/** Faults of an entry about a group, as a message, or null. Pure. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { ChainContent } from '@countersign/proof/chain.ts'
import { groupState } from '@countersign/proof/history-entry.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import type { GroupPerson, GroupRow } from '../../identity/groups/api.ts'
import type { NewestFacts } from './newest-queries.ts'

/** What an entry discloses. A person without `since` is one whom it adds or confirms. */
export interface DisclosedGroup {
  readonly group: {
    readonly name: string
    readonly people: readonly (Omit<GroupPerson, 'since'> & { readonly since?: number })[]
    readonly makers: readonly string[]
  }
  readonly action: string
}

/** The newest entry about a group explains its whole row; older ones have been replaced by it. */
export function groupFault(
  entry: EntryRow,
  { state, commitments }: ChainContent,
  { group, action }: DisclosedGroup,
  { row, newest }: NewestFacts<GroupRow>,
): string | null {
  if (groupState(commitments.group as string) !== state) return "the entry's state doesn't match its values"
  if (newest !== entry.idx) return null
  if (!row) return "the entry's group is missing"
  const people = group.people.map((each) => ({ since: entry.idx, ...each }))
  const agrees =
    row.name === group.name &&
    canonical(row.people as unknown as Json) === canonical(people as unknown as Json) &&
    row.makers.join() === group.makers.join() &&
    row.ended === (action === 'ended') &&
    row.changed_index === entry.idx &&
    new Date(row.changed_at).toISOString() === entry.sealed_at &&
    row.last_entry === entry.hash
  return agrees ? null : "the entry's group doesn't match what was sealed"
}
